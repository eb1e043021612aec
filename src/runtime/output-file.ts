import { usageError } from '../errors/command.ts';
import { pathInFolder } from '../platform/path-in-folder.ts';
import { shellWord } from '../platform/shell-quoted.ts';

/**
 * Checks that an option which names an output file does not name a folder. A command checks this before its work, whose
 * result would otherwise be lost.
 * @param option the option as typed, e.g. `--report`
 * @param path the value of the option
 * @param example the name of a file for the hint, e.g. `report.md`
 * @throws {CommandError} `usage` (exit 2) with the complete option to type instead.
 */
export function requireNoFolder(cwd: string, option: string, path: string, example: string): void {
  const file = pathInFolder(cwd, path, example);
  if (file === undefined) return;
  throw usageError(
    `${option}: "${path}" is a folder, not a file`,
    `specify a file, such as ${option} ${shellWord(file)}`,
  );
}
