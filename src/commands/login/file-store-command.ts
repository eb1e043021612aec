import type { Settings } from '../../runtime/settings.ts';
import { CommandError } from '../../errors/command.ts';
import { type CommandText, type Hint, ucctl } from '../../errors/hint.ts';
import type { LoginOptions } from './login-options.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Options with their default values, which the command does not repeat. */
const defaults: Readonly<Record<string, unknown>> = lookupTable({ flow: 'code', browserTimeout: 300 });

/** Options whose values are in seconds. */
const durations: ReadonlySet<string> = new Set(['accessTokenTtl', 'refreshTokenTtl', 'browserTimeout']);

/**
 * Adds the options of this sign-in to the hint `login --store file` of a keychain error. Returns any other error
 * unchanged.
 */
export function withTypedOptions(
  error: unknown,
  options: LoginOptions,
  { baseUrl }: Pick<Settings, 'baseUrl'>,
): unknown {
  if (!(error instanceof CommandError) || !Array.isArray(error.hint)) return error;
  const command = fileStoreCommand(options, baseUrl.origin === 'flag' ? baseUrl.value : undefined);
  const parts: readonly (string | CommandText)[] = error.hint;
  const hint: Hint = parts.map((part) =>
    typeof part !== 'string' && part.ucctl === 'login --store file' ? command : part,
  );
  const { code, exit, message, details, retryable, cause } = error;
  return new CommandError(code, exit, message, { hint, details, retryable, cause });
}

/** The command contains no secrets, because no option of `login` has a secret as its value. */
function fileStoreCommand(options: LoginOptions, baseUrl: string | undefined): CommandText {
  const words = Object.entries({ ...options, baseUrl, store: undefined }).flatMap(([key, value]) =>
    value === defaults[key] ? [] : wordsOf(key, value),
  );
  return ucctl`login ${words} --store file`;
}

function wordsOf(key: string, value: unknown): readonly string[] {
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  if (value === true) return [flag];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => wordsOf(key, item));
  if (typeof value === 'number') return [flag, durations.has(key) ? `${value}s` : String(value)];
  return typeof value === 'string' ? [flag, value] : [];
}
