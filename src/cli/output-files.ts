import { closeSync, openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { usageError } from '../errors/command.ts';
import type { OptionSpec } from '../runtime/command-description.ts';
import { requireNoFolder } from '../runtime/output-file.ts';
import type { System } from '../runtime/system.ts';
import { flagOf } from './flags.ts';
import { entryAt } from '../platform/entry-at.ts';

/** The start of a list in YAML or JSON, after comments. Each line matches in one way only, so that the search is fast. */
const yamlStart = /^\uFEFF?(?:[^\S\n]*(?:---[^\S\n]*|#[^\n]*)?\n)*[^\S\n]*(?:[\w-]+[^\S\n]*:\s|[{[])/;
/** The start of a workbook. */
const zipStart = 'PK\u0003\u0004';
/** Number of bytes that are read to recognize a list. */
const headBytes = 4096;

/**
 * Checks the options that name a file to write, before the command runs. A results file may replace a CSV list, because
 * it contains the rows of the list. In place of a workbook, it would delete the other sheets.
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
    const isList = typeof file === 'string' && resolve(system.cwd, file) === path;
    const other = isList ? flagOf('file') : taken.get(path);
    if (isList && key === 'results') requireCsv(path, flagOf(key), String(value));
    else if (other !== undefined) throw sameFileError(other, flagOf(key), String(value));
    taken.set(path, flagOf(key));
  }
}

function noStdoutError(flag: string, example: string): Error {
  return usageError(
    `${flag} cannot be used with standard output (-)`,
    `specify a file, such as ${flag} ${example}`,
  );
}

/** @throws {CommandError} `usage` if the file is a list that is not CSV. */
function requireCsv(path: string, flag: string, value: string): void {
  const head = headOf(path);
  const isOther = /\.(?:xlsx|ya?ml|json)$/i.test(path) || head.startsWith(zipStart) || yamlStart.test(head);
  if (!isOther) return;
  throw usageError(
    `${flag} cannot replace the list "${value}", because the list is not CSV`,
    `specify another file for ${flag}; nothing was written or sent`,
  );
}

/** Returns the start of a file; an empty text if the file cannot be read, which the command reports. */
function headOf(path: string): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, 'r');
    const bytes = Buffer.alloc(headBytes);
    return bytes.toString('utf8', 0, readSync(descriptor, bytes));
  } catch {
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
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
