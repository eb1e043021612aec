import type { OptionSpec } from '../runtime/command-description.ts';
import { requireNoFolder } from '../runtime/output-file.ts';
import type { System } from '../runtime/system.ts';
import { flagOf } from './flags.ts';

/**
 * Checks the options that name a file to write, before the command runs.
 * @param system its current folder, which may be missing, is read only if there is such an option
 * @throws {CommandError} `usage` (exit 2) for a folder.
 */
export function checkOutputFiles(
  table: Readonly<Record<string, OptionSpec>>,
  values: object,
  system: Pick<System, 'cwd'>,
): void {
  for (const [key, value] of Object.entries(values)) {
    const option = table[key];
    if (option?.type !== 'string' || option.writes === undefined) continue;
    if (value === '-' || value === option.default) continue;
    requireNoFolder(system.cwd, flagOf(key), String(value), option.writes);
  }
}
