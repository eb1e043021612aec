import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { thirdPartyLicenses } from './scripts/third-party-licenses.mjs';
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';
import { minifySync } from 'rolldown/utils';

/**
 * Parts of undici that this client never uses, and that would be compiled at every start: HTTP/2 is never negotiated, and bodies are texts or
 * bytes, never those of the fetch standard (docs/adr/0004-undici-deep-imports.md).
 */
export const withoutUndiciParts: Plugin = {
  name: 'undici-parts',
  resolveId(source, importer) {
    const unused = source.endsWith('client-h2.js') || source.endsWith('web/fetch/body.js');
    return unused && importer?.includes('node_modules/undici')
      ? resolve('scripts/stand-ins/undici-part.cjs')
      : null;
  },
};

/** Keeps what is never used out of the start of every command. */
const standIns: Plugin = {
  name: 'stand-ins',
  resolveId: {
    // Before built-in modules are left alone.
    order: 'pre',
    handler(source, importer) {
      const file = standInFor(source, importer);
      return file === undefined ? null : resolve(file);
    },
  },
};

/** What a package loads and this program never needs there: each would cost every command. */
const unneeded: readonly { readonly module: string; readonly by: string; readonly stand: string }[] = [
  // commander starts executables for subcommands; there are none. Help and suggestions are ours (src/cli/help.ts, src/platform/suggest.ts).
  { module: 'node:child_process', by: 'node_modules/commander', stand: 'scripts/stand-ins/empty.cjs' },
  { module: './help.js', by: 'node_modules/commander/lib', stand: 'scripts/stand-ins/commander-help.cjs' },
  {
    module: './lib/help.js',
    by: 'node_modules/commander/index.js',
    stand: 'scripts/stand-ins/commander-help.cjs',
  },
  {
    module: './suggestSimilar',
    by: 'node_modules/commander/lib',
    stand: 'scripts/stand-ins/commander-help.cjs',
  },
  // Of these modules, undici uses only one number and one function.
  { module: 'node:http', by: 'node_modules/undici', stand: 'scripts/stand-ins/undici-http.cjs' },
  { module: 'node:assert', by: 'node_modules/undici', stand: 'scripts/stand-ins/undici-assert.cjs' },
  { module: './tree', by: 'node_modules/undici', stand: 'scripts/stand-ins/undici-tree.cjs' },
];

function standInFor(source: string, importer: string | undefined): string | undefined {
  return unneeded.find(({ module, by }) => source === module && importer?.includes(by))?.stand;
}

/** What others wrote is made as small as can be: nobody reads its names in a trace, and the install has a limit (test/packaging). */
const shortNames: Plugin = {
  name: 'short-names',
  renderChunk(code, { fileName, moduleIds }) {
    const isVendored = moduleIds.every((id) => id.includes('node_modules') || id.startsWith('\0'));
    return isVendored ? minifySync(fileName, code, { compress: false, mangle: true }).code : null;
  },
};

/**
 * Removes the white space of the library's files that do not contain the client. Node prints the whole line of an uncaught
 * error, so the lines of the client must be short, but the install has a limit (test/packaging).
 */
const shortLines: Plugin = {
  name: 'short-lines',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk' || file.moduleIds.some((id) => id.includes('/src/client/'))) continue;
      file.code = minifySync(file.fileName, file.code, { compress: false, mangle: false }).code;
    }
  },
};

/** The parts of the style sheet of the console in console/styles. A later rule of the same specificity replaces an earlier one. */
const consoleStyles = [
  'base',
  'shell',
  'controls',
  'panels',
  'lists',
  'details',
  'dialogs',
  'charts',
  'service',
  'notices',
  'adaptations',
];

/** Copies the files of the console that are not code. The style sheet is smaller without comments and indentation. */
const consoleFiles: Plugin = {
  name: 'console-files',
  generateBundle() {
    for (const fileName of ['index.html', 'profile.html', 'icon.svg'])
      this.emitFile({ type: 'asset', fileName, source: readFileSync(`console/${fileName}`, 'utf8') });
    const styles = consoleStyles.map((name) => readFileSync(`console/styles/${name}.css`, 'utf8')).join('');
    const source = styles.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n\s*/g, '');
    this.emitFile({ type: 'asset', fileName: 'app.css', source });
  },
};

const shared: Pick<RolldownOptions, 'platform' | 'transform' | 'plugins'> = {
  platform: 'node',
  // Without what packages check for their developers.
  transform: { target: 'node20.19', define: { 'process.env.NODE_ENV': '"production"' } },
  plugins: [withoutUndiciParts, standIns, thirdPartyLicenses(), shortNames],
};
/** The file that the launcher loads first; the program loads the same file. */
const codeCache: Plugin = {
  name: 'code-cache',
  resolveId: (source, importer) =>
    importer?.endsWith('src/main.ts') && source === './code-cache.ts'
      ? { id: './code-cache.cjs', external: true }
      : null,
};
/** The chunk of a spec or of rows: one for each noun. */
function nounOf(module: string): string {
  return `noun-${/src\/commands\/([a-z]+)\//.exec(module)?.[1] ?? 'any'}`;
}

const natives = [/^node:/, '@napi-rs/keyring', '@photostructure/sqlite'];
/** Comments and white space go, names stay: a trace must be readable, and nobody else reads this. */
const minify = { compress: true, mangle: false, codegen: { removeWhitespace: true } };

/** A file of the program that loads no other file. */
const alone: RolldownOptions = {
  ...shared,
  // It bundles no package, and must not replace the licenses of the other files.
  plugins: [],
  external: natives,
  output: {
    dir: 'dist/cli',
    format: 'cjs',
    minify,
    entryFileNames: '[name].cjs',
    dynamicImportInCjs: false,
    codeSplitting: false,
  },
};

export default defineConfig([
  {
    ...shared,
    plugins: [shared.plugins, codeCache],
    input: { main: 'src/main.ts' },
    external: (id, importer) =>
      natives.some((native) => (typeof native === 'string' ? native === id : native.test(id))) &&
      standInFor(id, importer) === undefined,
    preserveEntrySignatures: 'allow-extension',
    output: {
      dir: 'dist/cli',
      format: 'cjs',
      minify,
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      exports: 'named',
      // An import() in code that V8 took from its cache (src/code-cache.ts) has lost its loader; require() has none to lose.
      dynamicImportInCjs: false,
      cleanDir: true,
      // Few files on the way to the first request: resolving and opening each costs more than parsing its lines.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [
          {
            name: 'network',
            // Not what only few runs need: proxies, traces, shared budgets, unpacking, faxes, several ids, dry runs.
            test: /src\/platform\/(error-body|body-members)\.ts|src\/client\/(?!trace|network|shared-budget|fleet-limiter|gunzip|multipart|batch(?!-reply)|dry-run-http)|node_modules\/undici\/(?!lib\/dispatcher\/(proxy|socks5))|stand-ins\/undici/,
          },
          // Alone, so that it is minified as what others wrote (shortNames).
          { name: 'charts', test: /node_modules\/(echarts|zrender)\// },
          // Alone and lazy: only ucctl mcp needs it.
          { name: 'mcp-sdk', test: /node_modules\/@modelcontextprotocol\// },
          // Alone and lazy: only runs with a PostgreSQL store need it.
          { name: 'pg', test: /node_modules\/(pg|pg-[a-z0-9-]+|pgpass|postgres-[a-z]+|split2|xtend)\// },
          // Alone and lazy: only --metrics-port needs it.
          { name: 'prometheus', test: /node_modules\/(prom-client|tdigest|bintrees)\// },
          // Alone and lazy: only runs with an OpenTelemetry SDK of the user, and --metrics-port, need it.
          { name: 'opentelemetry', test: /node_modules\/@opentelemetry\// },
          // Alone and lazy: only a stream of NATS as the place of events needs it.
          { name: 'nats', test: /node_modules\/(@nats-io|tweetnacl)\// },
          // Alone and lazy: only media of another host than that of the service need it.
          { name: 'public-suffixes', test: /node_modules\/tldts/ },
          // Alone and lazy: only live events over a WebSocket, and a sandbox, need it.
          { name: 'websocket', test: /node_modules\/ws\// },
          {
            name: 'session',
            // What reading a session from the keychain or a file needs.
            test: /src\/auth\/(index|session|session-(end|record|repository)|renewal-errors|sessions-folder|keychain-(store|entry|state|errors)|lazy-file-store|memory-store|secrets|store-session|store-token-store)\.ts|src\/platform\/native-addon\.ts/,
          },
          {
            name: 'sqlite',
            test: /src\/platform\/(sqlite(\/[a-z-]+)?|new-database|read-database|named-statement)\.ts/,
          },
          {
            name: 'atomic-file',
            test: /src\/platform\/(atomic-file|delete-file|replace-content|sha256|write-all)\.ts/,
          },
          // The specs and rows of a noun, which its help and each of its commands need.
          { name: nounOf, debugName: 'noun', test: /src\/commands\/[a-z]+\/[a-z-]+\.(command|rows)\.ts/ },
          {
            name: 'program',
            test: /src\/(errors\/(client-closed|command|dry-run-stop|each-failed|hint|interrupted|service|service-codes)\.ts|platform\/(aborted|day|date-header|store-error|time-zone|either-signal|lock-holder|ownership|own-process|path-in-folder|make-folder|database-error|file-size-limit|file-failure|json|phone-number-text|sent-secrets|terminal-text|base-url|counted|header-safe|check-hosts|suggest|duration|lookup-table|entry-at|read-bounded)\.ts|runtime\/(?!field-path|resource-schemas)|features\/(board\/board\.rows|known-values)|cli\/(option-values|wrap|help|flags|global-options|value-kind|topics\/(names|exit-codes))|config\/(?!granted)|contract\/(dialects|limits)\.ts|platform\/(csv-cell|e164|local-time|spans|shell-quoted|registrable-domain|json-position|user-info|moment|sending-paths|reading-paths|request-path|utf16|store-address|known-values|json-type|quiet-hours|rate-bounds)\.ts|compose(\/(?!choose)[a-z-]+)?\.ts|output\/(json|fields|cell)\.ts|cli\/(argv|parse|prompt|wait-notes|connection-failure|load-nouns)\.ts)|node_modules\/commander|stand-ins\/(empty|commander)/,
          },
        ],
      },
    },
  },
  {
    ...alone,
    // Loaded before the program, without compiled code of an earlier run.
    input: { 'code-cache': 'src/code-cache.ts' },
  },
  {
    ...alone,
    // Runs in a process of its own, where a shared file could load the program.
    input: { 'keychain-child': 'src/auth/keychain-child.ts' },
  },
  {
    ...alone,
    input: { 'query-child': 'src/features/mirror/query-child.ts' },
  },
  {
    ...shared,
    // Loaded at every Tab, and alone.
    input: { answer: 'src/completion/answer.ts' },
    output: { dir: 'dist/completion', format: 'cjs', entryFileNames: '[name].cjs', cleanDir: true },
  },
  {
    ...shared,
    input: { client: 'src/client/index.ts', sandbox: 'src/sandbox/index.ts' },
    external: [...natives, 'zod'],
    plugins: [shared.plugins, shortLines],
    output: {
      dir: 'dist/lib',
      format: 'esm',
      minify: { ...minify, codegen: { removeWhitespace: false } },
      cleanDir: true,
    },
  },
  {
    // The page in the browser (docs/adr/0066-console-page.md).
    input: { app: 'console/main.tsx' },
    platform: 'browser',
    tsconfig: 'console/tsconfig.json',
    transform: { target: 'es2022' },
    plugins: [consoleFiles, thirdPartyLicenses()],
    output: { dir: 'dist/console', format: 'esm', minify: true, cleanDir: true, codeSplitting: false },
  },
  {
    // The page of a profile: `ucctl console` and `--inspect`.
    input: { profile: 'console/profile/main.tsx' },
    platform: 'browser',
    tsconfig: 'console/tsconfig.json',
    transform: { target: 'es2022' },
    plugins: [thirdPartyLicenses()],
    output: { dir: 'dist/console', format: 'esm', minify: true, codeSplitting: false },
  },
]);
