import { usageError } from '../errors/command.ts';

/**
 * Returns a variable that must not be empty: an empty value, for example because the command that should print the value
 * failed, must not count as a missing one.
 * @throws {CommandError} `usage` if it is set but empty.
 */
export function filledVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: 'UCCTL_TOKEN' | 'UCCTL_PROFILE' | 'UCCTL_VERIFICATION_TOKEN',
): string | undefined {
  const value = env[name];
  if (value?.trim() !== '') return value;
  throw usageError(`${name} is set but empty`, `set ${name} to a value, or remove it: unset ${name}`);
}
