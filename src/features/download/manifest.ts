import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.ts';

/**
 * Adds checksums to a file that `sha256sum -c` understands, a line for each name; names that are there get their new sum.
 * @param sums by absolute file, all in one folder.
 */
export async function addToManifest(file: string, sums: ReadonlyMap<string, string>): Promise<void> {
  if (sums.size === 0) return;
  const before = await readFile(file, 'utf8').catch(() => '');
  const known = new Map<string, string>();
  for (const line of before.split('\n')) {
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum !== undefined && name !== undefined) known.set(name, sum);
  }
  for (const [path, sum] of sums) known.set(basename(path), sum);
  const lines = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`);
  await writeFileAtomic(file, lines.join(''));
}
