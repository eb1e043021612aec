import { CommandError, Exit, usageError } from '../errors/command.ts';
import { shellWord } from '../platform/shell-quoted.ts';

/** Checks the name of a profile. @throws {CommandError} `usage` (exit 2). */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `"${name}" is not a valid profile name`,
    'use at most 64 letters, digits, ".", "_" and "-", beginning with a letter or digit',
  );
}

/**
 * Checks that a new profile does not share its files with another profile: macOS and Windows do not distinguish case in
 * file names. A profile that exists is permitted.
 * @throws {CommandError} `profile_exists` (exit 11).
 */
export function requireDistinctName(profiles: Readonly<Record<string, unknown>>, name: string): void {
  if (Object.hasOwn(profiles, name)) return;
  const other = Object.keys(profiles).find((known) => known.toLowerCase() === name.toLowerCase());
  if (other === undefined) return;
  throw new CommandError(
    'profile_exists',
    Exit.conflict,
    `profile "${other}" already exists, and "${name}" differs from it only in case`,
    { hint: `choose another name, or use the existing profile with -p ${shellWord(other)}` },
  );
}
