import { readFile } from 'node:fs/promises';
import { dirname, relative } from 'node:path';
import { writeFileAtomic } from '../../platform/atomic-file.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';

/** Checksums by the name that a manifest has for a file: its path from the manifest's folder, with forward slashes. */
export type Checksums = ReadonlyMap<string, string>;

/**
 * The checksums of a manifest, such as `sha256sum` writes it; none where there is no such file.
 * @throws {CommandError} `usage` when the file is something else, which would be lost; `no_manifest` when it cannot be read.
 */
export async function readManifest(file: string): Promise<Checksums> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new Map();
    throw new CommandError('no_manifest', Exit.local, `${file} cannot be read`, { cause: error });
  }
  const sums = new Map<string, string>();
  for (const line of text.split(/\r?\n/)) {
    if (line === '') continue;
    const [, sum, name] = /^([0-9a-f]{64}) [ *](.+)$/.exec(line) ?? [];
    if (sum === undefined || name === undefined) {
      throw usageError(`${file} is no list of checksums`, 'choose another file with --manifest');
    }
    sums.set(name, sum);
  }
  return sums;
}

/** How a manifest names a file. Both absolute. */
export function nameInManifest(manifest: string, file: string): string {
  return relative(dirname(manifest), file).replaceAll('\\', '/');
}

/**
 * Adds checksums to a file that `sha256sum -c` understands in its folder, a line for each file; what is there gets its new sum.
 * @param sums by absolute path. @throws as `readManifest`.
 */
export async function addToManifest(file: string, sums: ReadonlyMap<string, string>): Promise<void> {
  if (sums.size === 0) return;
  const known = new Map(await readManifest(file));
  for (const [path, sum] of sums) known.set(nameInManifest(file, path), sum);
  const lines = [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, sum]) => `${sum}  ${name}\n`);
  await writeFileAtomic(file, lines.join(''));
}
