import { statSync, type Stats } from 'node:fs';

/**
 * Returns the state of a file or folder; undefined if nothing has this path.
 *
 * @throws every other error of the file system, also ENOTDIR, which means that a file is in place of a folder of
 *   the path. With `throwIfNoEntry: false`, Node 26 returns undefined for ENOTDIR; Node 24 and earlier throw it.
 */
export function entryAt(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
