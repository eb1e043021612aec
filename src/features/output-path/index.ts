import { dirname, relative, isAbsolute } from 'node:path';
import { usageError } from '../../errors/command.ts';
import { entryAt } from '../../platform/entry-at.ts';

export { lockedFolder } from './locked-folder.ts';

/**
 * Checks that the folder which will contain `path` exists. Below the working folder it may be missing, because ucctl
 * creates it. Elsewhere, a missing folder is probably a typing error.
 * @param path an absolute path
 * @throws {CommandError} `usage` if the folder is missing and `parents` is not set.
 */
export function checkParents(path: string, cwd: string, parents: boolean | undefined): void {
  const folder = dirname(path);
  const fromHere = relative(cwd, folder);
  const isBelow = !isAbsolute(fromHere) && fromHere.split(/[\\/]/)[0] !== '..';
  if (parents || isBelow || exists(folder)) return;
  throw usageError(`folder ${folder} not found`, 'check the path, or use --parents to create the folder');
}

function exists(path: string): boolean {
  try {
    return entryAt(path) !== undefined;
  } catch {
    // If the path cannot be read, opening it causes a clearer error.
    return true;
  }
}
