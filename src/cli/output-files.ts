import { resolve } from 'node:path';
import { usageError } from '../errors/command.ts';
import type { OptionSpec } from '../runtime/command-description.ts';
import { requireNoFolder } from '../runtime/output-file.ts';
import type { System } from '../runtime/system.ts';
import { flagOf } from './flags.ts';
import { entryAt } from '../platform/entry-at.ts';

/**
 * Checks the options that name a file to write, before the command runs. A results file may replace its list, because
 * it contains the rows of the list.
 * @param system its current folder, which may be missing, is read only if there is such an option
 * @throws {CommandError} `usage` (exit 2) for a folder, for `-` unless it is standard output, and for a file that another
 * option also names.
 */
export function checkOutputFiles(
  table: Readonly<Record<string, OptionSpec>>,
  values: object,
  system: Pick<System, 'cwd'>,
): void {
  const { file } = values as { readonly file?: unknown };
  const taken = new Map<string, string>();
  for (const [key, value] of Object.entries(values)) {
    const option = table[key];
    if (option?.type !== 'string' || option.writes === undefined) continue;
    if (value === option.default || (value === '-' && option.orStdout)) continue;
    if (value === '-') throw noStdoutError(flagOf(key), option.writes);
    requireNoFolder(system.cwd, flagOf(key), String(value), option.writes);
    const path = resolve(system.cwd, String(value));
    if (isDevice(path)) continue;
    const isList = key !== 'results' && typeof file === 'string' && resolve(system.cwd, file) === path;
    const other = isList ? flagOf('file') : taken.get(path);
    if (other !== undefined) throw sameFileError(other, flagOf(key), String(value));
    taken.set(path, flagOf(key));
  }
}

function noStdoutError(flag: string, example: string): Error {
  return usageError(
    `${flag} cannot be used with standard output (-)`,
    `specify a file, such as ${flag} ${example}`,
  );
}

/** Whether a path names a device or a pipe, which several options may write to, such as /dev/null. */
function isDevice(path: string): boolean {
  try {
    const found = entryAt(path);
    return found !== undefined && !found.isFile();
  } catch {
    // If the path cannot be read, writing to it causes a clearer error.
    return false;
  }
}

function sameFileError(one: string, other: string, value: string): Error {
  return usageError(
    `${one} and ${other} name the same file: "${value}"`,
    `specify another file for ${other}; nothing was written or sent`,
  );
}
