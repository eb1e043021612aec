import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { idsOfList, prefixes, rules } from './spec-index.ts';

/** A line of a comment or of a document. */
export interface TextLine {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

const sources = ['src', 'test', 'scripts', 'bench', 'examples'];
/** Files that contain forbidden words or invented paths as test data. */
const exempt = new Set(['test/support/citations.ts', 'test/docs/spec-citations.test.ts']);

function filesBelow(folder: string, ending: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith(ending) && !exempt.has(file) && statSync(file).isFile())
    .sort();
}

/** The comments of a TypeScript file, without code and strings. */
export function commentsOf(file: string, code: string): readonly TextLine[] {
  let inside = false;
  return code.split('\n').flatMap((whole, index) => {
    const begins = /^\s*(?:export .*)?\/\*/.test(whole);
    if (inside || begins) {
      inside = !whole.includes('*/');
      return [{ file, line: index + 1, text: whole }];
    }
    const text = /(?:^|\s)(\/\/ .*)$/.exec(whole)?.[1];
    return text === undefined ? [] : [{ file, line: index + 1, text }];
  });
}

/** Every comment of the program, its tests and its scripts. */
export function allComments(): readonly TextLine[] {
  return sources
    .flatMap((folder) => filesBelow(folder, '.ts'))
    .flatMap((file) => commentsOf(file, readFileSync(file, 'utf8')));
}

/** Every line of the documents, including generated ones. */
export function documentLines(): readonly TextLine[] {
  const atRoot = readdirSync('.').filter((file) => file.endsWith('.md'));
  return [...atRoot, ...filesBelow('docs', '.md')].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text, index) => ({ file, line: index + 1, text })),
  );
}

const shown = ({ file, line }: TextLine, what: string): string => `${file}:${line} ${what}`;
const known = new Set(rules.map(({ id }) => id));
const rulePattern = new RegExp(
  `(?<![\\w-])(?:${prefixes.join('|')})-\\d+(?: to [A-Z]+-\\d+)?(?![\\w-])`,
  'g',
);

/** Citations of rules that docs/spec does not state. */
export function unknownRules(lines: readonly TextLine[]): readonly string[] {
  return lines.flatMap((one) =>
    [...one.text.matchAll(rulePattern)]
      .flatMap(([list]) => idsOfList(list))
      .filter((id) => !known.has(id))
      .map((id) => shown(one, id)),
  );
}

/** Ways to cite a document that is not in the repository. */
const outside = [
  /\b[Ff]acts,? (?:\d|L\d|section|\(\d)/,
  /\((?:specification|coverage), /,
  /\b[Ss]pecification, [A-Z]/,
  /\b[Rr]ulings? \d/,
  /\b[Pp]arts? \d+(?:,| to|\)|\.|$| owes)/,
  /(?<![\w#])L\d{2,4}\b/,
  /\b(?:service-interface|service-facts|current-interface|build-facts|conventions|reliability|house|language|style|performance)\.md\b/,
  /\/work\//,
];

/** Lines that cite a document which is not in the repository. */
export function outsideCitations(lines: readonly TextLine[]): readonly string[] {
  return lines
    .filter(({ text }) => outside.some((pattern) => pattern.test(text)))
    .map((one) => shown(one, one.text.trim()));
}

const pathPattern = /(?<![\w./@:~$"-])(?:src|test|docs|scripts|bench|examples|bin)\/[\w.*{},/-]*\w\*?/g;
/** A path with an invented last part represents any file of its folder: `scripts/proofs/NAME.ts`. */
const placeholder = /\/(?:NAME|[xX])(?:\.ts)?$/;

function exists(path: string): boolean {
  if (/[*{]/.test(path)) return existsSync(path.replace(/[^/]*[*{].*$/, ''));
  return ['', '.ts', '.test.ts', '.outer.test.ts', '.md', '.mjs'].some((ending) => existsSync(path + ending));
}

/** Paths below the root of the repository that do not exist. */
export function missingPaths(lines: readonly TextLine[]): readonly string[] {
  return lines.flatMap((one) =>
    [...one.text.matchAll(pathPattern)]
      .map(([path]) => path)
      .filter((path) => !exists(path.replace(placeholder, '')))
      .map((path) => shown(one, path)),
  );
}

/** Relative links of documents to missing files or anchors. */
export function brokenLinks(lines: readonly TextLine[]): readonly string[] {
  return lines.flatMap((one) =>
    [...one.text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^(?:[a-z]+:|#)/.test(target))
      .filter((target) => {
        const [path = '', anchor] = target.split('#');
        const file = join(dirname(one.file), path);
        if (!existsSync(file)) return true;
        const isRule = anchor !== undefined && dirname(file).endsWith('docs/spec');
        return isRule && !readFileSync(file, 'utf8').includes(`<a id="${anchor}">`);
      })
      .map((target) => shown(one, target)),
  );
}
