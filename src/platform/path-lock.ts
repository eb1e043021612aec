import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { requireOwn } from './ownership.ts';

/** What a command does with a folder or file. Only commands that do the same wait for each other. */
export type PathUse = 'download' | 'export';

/**
 * Returns the file of the lock for a folder, or for a file that several commands write.
 * @param path the real path, because the same folder may have several names
 * @throws {UnsafePathError} other users can change the folder of the locks, or it is a link.
 */
export function pathLock(stateFolder: string, use: PathUse, path: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  const folder = join(stateFolder, `${use}s`);
  requireOwn(folder);
  return join(folder, `${name}.lock`);
}
