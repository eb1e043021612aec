import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and what is missing above it, one level at a time. `mkdir` with `recursive` never returns on Node 20 below a folder in which
 * nothing can be created and that says "not found", such as /proc.
 * @param mode Permission bits of each folder that is created, before the umask.
 * @throws the system's error of the level that cannot be created; ENOTDIR where a part of the path is a file.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent, mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found !== undefined;
  const message = `ENOTDIR: not a directory, mkdir '${path}'`;
  throw Object.assign(new Error(message), { code: 'ENOTDIR', syscall: 'mkdir', path });
}
