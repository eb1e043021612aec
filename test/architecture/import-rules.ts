import { posix } from 'node:path';
import { parseSync, Visitor } from 'rolldown/utils';

/** How one part may use another: as values, as types only, or by `import()` only. */
type Use = 'values' | 'types' | 'lazy';
type Rule = Readonly<Record<string, Use>>;

/**
 * Who may import whom; what is not listed is forbidden. Everyone may import `platform` and `errors` (the contract and the sandbox only `platform`); `runtime` holds
 * interfaces. ARCHITECTURE.md shows the same table to people.
 */
const rules: Readonly<Record<string, Rule>> = {
  contract: {},
  platform: {},
  errors: {},
  runtime: { contract: 'types', client: 'types' },
  // The shared PostgreSQL store: schema, roles and what machines coordinate through.
  store: { contract: 'types', client: 'types', runtime: 'values' },
  config: { contract: 'types', runtime: 'values' },
  client: { contract: 'types' },
  auth: { contract: 'types', client: 'values', config: 'values', runtime: 'values', store: 'lazy' },
  features: { contract: 'values', client: 'types', runtime: 'values', store: 'lazy' },
  output: { contract: 'types', runtime: 'values' },
  sandbox: { contract: 'values' },
  // A command's handler, loaded when it runs.
  handler: {
    contract: 'types',
    client: 'types',
    config: 'values',
    features: 'values',
    runtime: 'values',
    store: 'lazy',
  },
  // A definition of rows, of a noun or of a feature, loaded with the specs.
  rows: { contract: 'types', client: 'types', features: 'types', runtime: 'values' },
  // A command's spec, loaded at every start.
  spec: { contract: 'types', runtime: 'values', handler: 'lazy' },
  cli: { contract: 'types', runtime: 'values', spec: 'lazy' },
  completion: { cli: 'values', config: 'values', runtime: 'types' },
  app: { runtime: 'values', cli: 'values', output: 'values', compose: 'lazy', config: 'lazy' },
  compose: {
    runtime: 'values',
    cli: 'values',
    output: 'types',
    client: 'lazy',
    auth: 'lazy',
    features: 'lazy',
    store: 'lazy',
    config: 'types',
  },
  'code-cache': { config: 'values' },
  main: { app: 'values', cli: 'values', runtime: 'types', client: 'types', 'code-cache': 'lazy' },
};

/** Plain constants without imports, which help texts and checks before a request need as values. */
const plainConstants = new Set([
  'src/contract/limits.ts',
  'src/contract/enums.ts',
  'src/contract/dialects.ts',
  'src/features/live/notification/event-kinds.ts',
]);

/** The parts of a repository path: `src/client/resources/x.ts` belongs to `client`. */
function partOf(file: string): string {
  const [, first = '', ...rest] = file.split('/');
  if (file.endsWith('.rows.ts')) return 'rows';
  if (['main.ts', 'app.ts', 'compose.ts', 'code-cache.ts'].includes(first)) return first.replace('.ts', '');
  if (first !== 'commands') return first;
  return rest.at(-1)?.endsWith('.command.ts') ? 'spec' : 'handler';
}

interface Import {
  readonly target: string;
  readonly use: Use;
}

/**
 * Whether a file may import in ways that the parser does not list: by `require()`, or types by `import()`. Reading
 * its syntax tree for them takes ten times as long as parsing it.
 */
function mayImportOtherwise(source: string, listed: number): boolean {
  return /\brequire\b/.test(source) || (source.match(/\bimport\s*[(/]/g) ?? []).length !== listed;
}

/** The imports of a source file, package imports included. */
export function readImports(file: string, source: string): Import[] {
  const parsed = parseSync(file, source);
  const { module } = parsed;
  const found: Import[] = [];
  for (const item of module.staticImports) {
    const typesOnly = item.entries.length > 0 && item.entries.every((entry) => entry.isType);
    found.push({ target: item.moduleRequest.value, use: typesOnly ? 'types' : 'values' });
  }
  for (const item of module.staticExports) {
    for (const entry of item.entries) {
      if (entry.moduleRequest) {
        found.push({ target: entry.moduleRequest.value, use: entry.isType ? 'types' : 'values' });
      }
    }
  }
  for (const item of module.dynamicImports) {
    const text = source.slice(item.moduleRequest.start, item.moduleRequest.end);
    found.push({ target: text.replace(/^['"`]|['"`]$/g, ''), use: 'lazy' });
  }
  if (!mayImportOtherwise(source, module.dynamicImports.length)) return found;
  new Visitor({
    TSExternalModuleReference(node) {
      if (node.expression.type === 'Literal') found.push({ target: node.expression.value, use: 'values' });
    },
    CallExpression(node) {
      const [first] = node.arguments;
      const isRequire = node.callee.type === 'Identifier' && node.callee.name === 'require';
      if (isRequire && first?.type === 'Literal') found.push({ target: String(first.value), use: 'values' });
    },
    TSImportType(node) {
      if (node.source.type === 'Literal') found.push({ target: node.source.value, use: 'types' });
    },
  }).visit(parsed.program);
  return found;
}

/** Violations of the table in one file, a sentence each. */
export function violations(file: string, source: string): string[] {
  const from = partOf(file);
  const rule = rules[from];
  if (!rule) return [`${file}: the folder "${from}" has no row in the import table`];
  return readImports(file, source).flatMap(({ target, use }) => {
    if (/^ucctl(\/|$)/.test(target)) return [`${file}: imports this package by its own name ("${target}")`];
    if (use === 'lazy' && !/^[\w.@/:-]+$/.test(target))
      return [`${file}: imports a path that is not a constant (${target})`];
    if (!target.startsWith('.')) return packageViolation(file, from, target, use);
    const resolved = posix.join(posix.dirname(file), target);
    return isAllowed({ file, from, rule, resolved, use })
      ? []
      : [`${file}: ${use} of ${resolved} (${from} -> ${partOf(resolved)})`];
  });
}

interface Edge {
  readonly file: string;
  readonly from: string;
  readonly rule: Rule;
  readonly resolved: string;
  readonly use: Use;
}

function isAllowed({ file, from, rule, resolved, use }: Edge): boolean {
  const to = partOf(resolved);
  if (to === 'platform') return true;
  if (to === 'errors' && !['contract', 'platform', 'sandbox'].includes(from)) return true;
  if (from === 'main' && resolved === 'package.json') return true;
  if (to === 'rows') return mayUseRows(file, from, resolved);
  if (from === 'features' && to === 'features')
    return sameFeature(file, resolved) || ['bulk', 'resource-plan'].includes(feature(resolved));
  if (isCommand(from) && isCommand(to))
    return isAllowedBetweenCommands({ file, from, rule, resolved, use }, to);
  if (from === to) return true;
  if (from === 'handler' && to === 'sandbox') return noun(file) === 'sandbox' && use !== 'values';
  if (
    plainConstants.has(resolved) &&
    ['client', 'handler', 'spec', 'rows', 'cli', 'output', 'config', 'auth'].includes(from)
  )
    return true;
  const allowed = rule[to];
  if (allowed === undefined) return false;
  if (allowed === 'lazy') return use !== 'values';
  return use !== 'values' || allowed === 'values';
}

/**
 * Rows of a noun may be used by that noun only; rows of a feature by the feature, by specs and by rows. Handlers use
 * them through the feature.
 */
function mayUseRows(file: string, from: string, resolved: string): boolean {
  const isOfFeature = resolved.startsWith('src/features/');
  if (from === 'features') return isOfFeature && sameFeature(file, resolved);
  if (!isCommand(from) && from !== 'rows') return false;
  return isOfFeature || (file.startsWith('src/commands/') && noun(file) === noun(resolved));
}

function isCommand(part: string): boolean {
  return part === 'handler' || part === 'spec';
}

/**
 * A handler imports its own noun only; a spec loads its handler lazily and may use its types; a noun file collects
 * its specs.
 */
function isAllowedBetweenCommands({ file, from, resolved, use }: Edge, to: string): boolean {
  if (noun(file) !== noun(resolved)) return false;
  return from === 'handler' || to === 'spec' || use !== 'values';
}

const noun = (file: string): string => file.split('/')[2] ?? '';
const feature = noun;
const sameFeature = (a: string, b: string): boolean => feature(a) === feature(b);

/**
 * Modules that are loaded at every start must not load a library; only a few files may use the network or a terminal.
 */
function packageViolation(file: string, from: string, target: string, use: Use): string[] {
  if (target === 'node:process') return [`${file}: reaches for the process past its owners`];
  const isEager = from === 'spec' || from === 'rows' || from === 'runtime' || file === 'src/cli/registry.ts';
  if (isEager && use === 'values') return [`${file}: loads the package "${target}" at every start`];
  if (from === 'contract' && target !== 'zod')
    return [`${file}: the contract may import only its schema library, not "${target}"`];
  if (plainConstants.has(file)) return [`${file}: must import nothing, not "${target}"`];
  return [];
}

/** Global names that only some files may use, so that time, randomness and the process are injected everywhere else. */
const owners: readonly {
  readonly pattern: RegExp;
  readonly name: string;
  readonly files: readonly RegExp[];
}[] = [
  {
    name: 'process',
    pattern: /(?<![.\w'"/-])(?:globalThis\.)?process\.[a-zA-Z]|globalThis\.process/,
    files: [
      /^src\/main\.ts$/,
      /^src\/auth\/keychain-child\.ts$/,
      /^src\/platform\/(sqlite\/connection|own-process)\.ts$/,
    ],
  },
  {
    name: 'Date.now',
    pattern: /\bDate\.now\(|new Date\(\)/,
    files: [
      /^src\/main\.ts$/,
      /^src\/sandbox\/world\/clock\.ts$/,
      /^src\/platform\/process-lock\.ts$/,
      /^src\/client\/timing\.ts$/,
    ],
  },
  {
    name: 'performance.now',
    pattern: /\bperformance\.now\(/,
    // Waits and measured durations; no calendar time.
    files: [
      /^src\/platform\/process-lock\.ts$/,
      /^src\/sandbox\/subscriptions\/channel-routes\.ts$/,
      /^src\/features\/live\/(deliver\/dispatcher|receive\/(listener|probe)|inspect\/api)\.ts$/,
      /^src\/commands\/doctor\/webhook\.ts$/,
    ],
  },
  {
    name: 'crypto',
    pattern: /(?<![.\w'"/-])crypto\.(getRandomValues|randomUUID)\(/,
    files: [/^src\/output\/paint\.ts$/, /^src\/client\/timing\.ts$/],
  },
  { name: 'Math.random', pattern: /\bMath\.random\(/, files: [] },
  { name: 'console', pattern: /(?<![.\w'"])console\.\w+\(/, files: [] },
];

/** Pattern of code that classifies an error by the name of its class. */
const byName =
  /\.name\s*[!=]==?\s*['"`][A-Z]|\bcase\s+['"`][A-Z]\w*(?:Error|Stop|Interrupted)['"`]|\.(?:includes|has)\((?:error|cause|reason)\.name\)/;

/** Errors of Node and of the prompt library, whose classes cannot be imported or are loaded lazily. */
const foreignNames = 'src/errors/interrupted.ts';

/** Errors must be classified by `instanceof`, which the compiler checks, instead of by name. */
export function errorNameViolations(file: string, source: string): string[] {
  return file !== foreignNames && byName.test(withoutComments(file, source))
    ? [`${file}: tells an error by the name of its class; use instanceof`]
    : [];
}

/** A command in a plain string; `ucctl(...)` adds the program name itself. */
const commandInText = /(?<![\w/.-])ucctl (?:[a-z]+(?=[\s"'`;,)])|\$\{)/g;

/** Functions that create an error from a message and a hint. */
const withHint = new Set(['usageError', 'notFoundError']);

/**
 * Hints whose commands are plain strings: they would lack the `-p` of the current call. `nouns` are the first words
 * of the commands.
 */
export function hintViolations(file: string, source: string, nouns: ReadonlySet<string>): string[] {
  if (!source.includes('ucctl ')) return [];
  const found: string[] = [];
  const check = ({ start, end }: { readonly start: number; readonly end: number }): void => {
    for (const [text] of source.slice(start, end).matchAll(commandInText)) {
      const [, word = ''] = text.split(' ');
      if (word === '${' || nouns.has(word)) found.push(`${file}: "${text}" in a hint; write ucctl('...')`);
    }
  };
  new Visitor({
    Property({ key, value }) {
      if (key.type === 'Identifier' && (key.name === 'hint' || key.name === 'todo')) check(value);
    },
    CallExpression({ callee, arguments: [, ...hints] }) {
      if (callee.type === 'Identifier' && withHint.has(callee.name)) hints.forEach(check);
    },
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === 'Identifier' && tag.name === 'nextStep') quasi.quasis.forEach(check);
    },
  }).visit(parseSync(file, source).program);
  return found;
}

/** Uses of a global in other files than those that own it. */
export function ownerViolations(file: string, source: string): string[] {
  const code = withoutComments(file, source);
  return owners
    .filter(({ pattern, files }) => pattern.test(code) && !files.some((allowed) => allowed.test(file)))
    .map(({ name }) => `${file}: uses ${name}, which belongs to other files`);
}

function withoutComments(file: string, source: string): string {
  const { comments } = parseSync(file, source);
  return [...comments]
    .toReversed()
    .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end), source);
}
