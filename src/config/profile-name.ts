import { usageError } from '../errors/command.ts';

/** @throws {CommandError} `usage` (exit 2) when the text cannot name a profile. */
export function checkProfileName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw usageError(
    `"${name}" cannot name a profile`,
    'a name has letters, digits, ".", "_" and "-", begins with a letter or digit, and is at most 64 long',
  );
}
