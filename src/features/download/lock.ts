import { createHash } from 'node:crypto';
import { join } from 'node:path';

/**
 * Returns the file of the lock for a download folder or a checksum file.
 * @param path the real path, because the same folder may have several names
 */
export function downloadLock(stateFolder: string, path: string): string {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 16);
  return join(stateFolder, 'downloads', `${name}.lock`);
}
