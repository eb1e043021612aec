// Runs a TypeScript script of this folder (or of bench/) on Node 20, which cannot strip types itself:
// bundles it next to the dependencies, then imports it. Usage: node scripts/run.mjs NAME [ARGS...]
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const [name, ...args] = process.argv.slice(2);
const input = [`scripts/${name}.ts`, `${name}/main.ts`].map((file) => join(root, file)).find(existsSync);
if (!name || !input) {
  process.stderr.write(`scripts/run.mjs: script "${name ?? ''}" not found\n`);
  process.exit(2);
}
const folder = join(root, 'node_modules', '.cache', 'ucctl-scripts');
mkdirSync(folder, { recursive: true });
const bundle = await rolldown({
  input,
  platform: 'node',
  external: [/^node:/, /^[^./]/],
  transform: { target: 'node20.19' },
});
const file = join(folder, `${name}-${process.pid}.mjs`);
await bundle.write({ file, format: 'esm', codeSplitting: false });
await bundle.close();
process.argv.splice(1, process.argv.length, file, ...args);
process.chdir(root);
const { rmSync } = await import('node:fs');
process.on('exit', () => rmSync(file, { force: true }));
await import(pathToFileURL(file).href);
