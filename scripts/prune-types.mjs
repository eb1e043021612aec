// Removes the declarations that the entry points of the library do not import. The compiler also writes the declarations of
// files whose types are not visible, which are three quarters of the size. Usage: node scripts/prune-types.mjs
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const folder = resolve(dirname(fileURLToPath(import.meta.url)), '../dist/lib/types');
/** Matches the relative import of a declaration. */
const relativeImport = /(?:\bfrom|\bimport\()\s*['"](\.[^'"]+)\.ts['"]/g;
const needed = new Set();

function need(file) {
  if (needed.has(file)) return;
  needed.add(file);
  for (const [, path] of readFileSync(file, 'utf8').matchAll(relativeImport))
    need(resolve(dirname(file), `${path}.d.ts`));
}

for (const entry of ['client/index.d.ts', 'sandbox/index.d.ts']) need(resolve(folder, entry));
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  const file = resolve(folder, path);
  if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(file);
}
