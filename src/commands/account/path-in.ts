import { join } from 'node:path';
import { shellWord } from '../../platform/shell-quoted.ts';

/** Returns the path of a file in a folder, quoted for a command line. */
export function pathIn(folder: string, file = ''): string {
  return shellWord(join(folder, file));
}
