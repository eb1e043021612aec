import type { OptionSpec } from '../runtime/command-description.ts';
import { flagOf } from './flags.ts';

/**
 * Checks the options that name a file to write, before the command runs.
 * @throws {CommandError} `usage` (exit 2) for a folder.
 */
export async function checkOutputFiles(
  table: Readonly<Record<string, OptionSpec>>,
  values: object,
  cwd: string,
): Promise<void> {
  for (const [key, value] of Object.entries(values)) {
    const option = table[key];
    if (option?.type !== 'string' || option.writes === undefined || value === '-') continue;
    const { requireNoFolder } = await import('../runtime/output-file.ts');
    requireNoFolder(cwd, flagOf(key), String(value), option.writes);
  }
}
