import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { brotliCompressSync } from 'node:zlib';
import { version } from '../package.json';
import { firstHelp, rootHelp } from '../src/cli/help.ts';
import { understand } from '../src/cli/program.ts';
import { loadAll } from '../src/cli/load-nouns.ts';
import { registry } from '../src/cli/registry.ts';
import { manualPages } from './documents/manual.ts';
import { resourceSchemas } from './documents/resource-schemas.ts';
import { completionTable } from '../src/completion/table.ts';

// The texts that bin/ucctl.cjs answers with, without loading the program.
const nouns = await loadAll(registry);
writeFileSync('dist/cli/help.txt', rootHelp(nouns, 80));
writeFileSync('dist/cli/first.txt', firstHelp(80));
rmSync('dist/cli/help', { recursive: true, force: true });
mkdirSync('dist/cli/help');
const surroundings = { version, homeDirectory: '', stdout: { columns: 80, isTerminal: false } };
for (const { name } of registry) {
  const help = await understand([name, '--help'], registry, surroundings);
  if (help.kind === 'print') writeFileSync(`dist/cli/help/${name}.txt`, help.text);
}
writeFileSync('dist/completion/table.json', JSON.stringify(completionTable(nouns)));
writeFileSync('dist/cli/version.txt', `${version}\n`);

// The manual pages, which `ucctl man install` copies.
rmSync('dist/man', { recursive: true, force: true });
mkdirSync('dist/man', { recursive: true });
for (const [name, page] of manualPages(nouns, version)) writeFileSync(`dist/man/${name}`, page);

// The resources of the contract, which `ucctl schema` includes in the schemas that refer to them.
mkdirSync('dist/schema', { recursive: true });
writeFileSync('dist/schema/resources.json', JSON.stringify(resourceSchemas()));

// Compressed to a quarter of its size (src/platform/jq.ts).
mkdirSync('dist/cli/build', { recursive: true });
const jq = readFileSync(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm'));
writeFileSync('dist/cli/build/jq.wasm.br', brotliCompressSync(jq));

// `files.txt` lists the files of the program, so that the launcher can report damaged ones. `build.txt` identifies this
// build, so that Node uses compiled code of no other build (src/code-cache.ts).
const build = createHash('sha256');
const lines: string[] = [];
for (const name of readdirSync('dist/cli')
  .filter((file) => file.endsWith('.cjs'))
  .sort()) {
  const content = readFileSync(`dist/cli/${name}`);
  build.update(`${name}\n`).update(content);
  lines.push(`${createHash('sha256').update(content).digest('hex').slice(0, 16)} ${name}\n`);
}
writeFileSync('dist/cli/files.txt', `${lines.join('')}end\n`);
writeFileSync('dist/cli/build.txt', build.digest('hex').slice(0, 16));
