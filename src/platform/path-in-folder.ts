import { join, resolve, sep } from 'node:path';
import { entryAt } from './entry-at.ts';

/**
 * Returns the path of a file in a folder, if `path` names a folder; otherwise undefined. A path that ends with a slash
 * names a folder, even if the folder does not exist.
 * @param name the name of the file in the folder
 */
export function pathInFolder(cwd: string, path: string, name: string): string | undefined {
  const isFolderName = path.endsWith('/') || path.endsWith(sep);
  return isFolderName || isFolder(resolve(cwd, path)) ? join(path, name) : undefined;
}

function isFolder(path: string): boolean {
  try {
    return entryAt(path)?.isDirectory() === true;
  } catch {
    // If the path cannot be read, opening it causes a clearer error.
    return false;
  }
}
