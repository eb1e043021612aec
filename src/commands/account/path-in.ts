import { join } from 'node:path';
import { shellWord } from '../../platform/shell-quoted.ts';

/** A file of a folder as a word of a command line. */
export function pathIn(folder: string, file = ''): string {
  return shellWord(join(folder, file));
}
