import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { entryAt } from './entry-at.ts';

/**
 * Creates a folder and its missing parents, one level at a time. On Node 20, `mkdir` with `recursive` never returns
 * in a folder such as /proc, which answers "not found" to mkdir.
 * @param mode permission bits of each folder that is created, before the umask
 * @throws the system's error for the level that cannot be created; ENOTDIR if a part of the path is a file.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  const found = entryAt(path);
  if (found === undefined || found.isDirectory()) return found !== undefined;
  const message = `ENOTDIR: not a directory, mkdir '${path}'`;
  throw Object.assign(new Error(message), { code: 'ENOTDIR', syscall: 'mkdir', path });
}
