import { usageError } from '../errors/command.ts';

/** Checks the name of a profile. @throws {CommandError} `usage` (exit 2). */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `"${name}" is not a valid profile name`,
    'use at most 64 letters, digits, ".", "_" and "-", beginning with a letter or digit',
  );
}
