import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'rolldown/utils';
import type { Plugin } from 'vitest/config';

/**
 * The sources as JavaScript, for Node itself to load. Otherwise Vitest transforms every file again for each run, and
 * sends it to each worker: a tenth of the processor time of the suite (docs/adr/0049-stripped-sources-in-tests.md).
 */
const stripped = resolve('.tmp/stripped');
const sources = resolve('src') + sep;
const ending = /\.(ts|json)$/;
/** Imports of data, which Node loads only with an attribute. */
const ofData = /(\bfrom\s*|\bimport\()"(\.[^"]*\.json)"/g;

/** Files whose change requires all sources to be stripped again. */
const settings = ['package-lock.json', 'test/support/stripped-source.ts'];

/** Files of the stripped sources, for `server.deps.external`. */
export const strippedFiles = /\/\.tmp\/stripped\//;

/** Writes the files that are missing or older than their sources, and removes those without a source. */
export function stripSources(): void {
  const files = ['package.json', ...filesBelow('src').filter((file) => ending.test(file))];
  const expected = new Set(files.map(targetOf));
  for (const file of files) if (isDue(file)) strip(file);
  for (const file of filesBelow(stripped)) if (!expected.has(file)) rmSync(file);
}

/**
 * Resolves imports of `src` in tests to the stripped sources; not in watch mode, for `--changed` and `related`, and for
 * coverage, in which Vitest has to know the sources.
 */
export function strippedSource(): Plugin {
  let isOff = false;
  return {
    name: 'stripped-source',
    enforce: 'pre',
    configureVitest({ vitest }) {
      const { watch, changed, related, coverage } = vitest.config;
      isOff = watch || Boolean(changed) || related !== undefined || coverage.enabled;
    },
    resolveId(source, importer) {
      if (isOff || importer === undefined || !/^\.\.?\//.test(source)) return undefined;
      const file = resolve(dirname(importer), source);
      return file.startsWith(sources) && file.endsWith('.ts') ? targetOf(file) : undefined;
    },
  };
}

function strip(file: string): void {
  const text = readFileSync(file, 'utf8');
  const target = targetOf(file);
  mkdirSync(dirname(target), { recursive: true });
  // Another run of the tests may be reading it.
  const part = `${stripped}-${process.pid}`;
  writeFileSync(part, file.endsWith('.json') ? moduleOf(text) : stripTypes(resolve(file), text));
  renameSync(part, target);
}

function stripTypes(file: string, text: string): string {
  const { code, map, errors } = transformSync(file, text, {
    typescript: { rewriteImportExtensions: 'rewrite' },
    target: 'node20.19',
    tsconfig: false,
    sourcemap: true,
  });
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(', ')}`);
  const own = code
    .replaceAll(ofData, '$1"$2.js"')
    // The sources look for files of the build from their own folders.
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href));
  const inline = Buffer.from(
    JSON.stringify({ ...map, sources: [relative(dirname(targetOf(file)), file)] }),
  ).toString('base64');
  return `${own}\n//# sourceMappingURL=data:application/json;base64,${inline}\n`;
}

/** The module of a JSON file: its value, and its members by name. */
function moduleOf(text: string): string {
  const named = Object.entries(JSON.parse(text) as object).filter(([name]) => /^[a-z]\w*$/i.test(name));
  const members = named.map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`);
  return `${members.join('')}export default ${text.trim()};\n`;
}

function targetOf(file: string): string {
  const path = resolve(file).slice(resolve('.').length);
  return join(stripped, path.endsWith('.json') ? `${path}.js` : path.replace(/\.ts$/, '.js'));
}

function isDue(file: string): boolean {
  const written = statSync(targetOf(file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return [file, ...settings].some((one) => statSync(one).mtimeMs > written);
}

function filesBelow(folder: string): readonly string[] {
  if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
