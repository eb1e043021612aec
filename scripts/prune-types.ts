import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Matches the relative import of a declaration. */
const relativeImport = /(?:\bfrom|\bimport\()\s*['"](\.[^'"]+)\.ts['"]/g;

/**
 * Removes the declarations that the entry points do not import. The compiler also writes the declarations of files whose
 * types are not visible, which are three quarters of the size.
 * @param entries paths in the folder
 */
export function pruneTypes(folder: string, entries: readonly string[]): void {
  const needed = new Set<string>();
  const need = (file: string): void => {
    if (needed.has(file)) return;
    needed.add(file);
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(relativeImport))
      need(resolve(dirname(file), `${path}.d.ts`));
  };
  for (const entry of entries) need(resolve(folder, entry));
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = resolve(folder, path);
    if (file.endsWith('.d.ts') && !needed.has(file)) rmSync(file);
  }
}
