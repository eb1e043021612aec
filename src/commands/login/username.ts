import { isE164, readWrittenNumber } from '../../platform/e164.ts';
import { usageError } from '../../errors/command.ts';

/** The user of a password sign-in, in the form that the token endpoint expects. */
export interface PasswordIdentity {
  readonly username: string;
  readonly extension: string | undefined;
  /**
   * Whether the user name is a number without an extension. For a company number, the service then signs in the main
   * administrator.
   */
  readonly mayBeCompany: boolean;
}

/**
 * Reads a number in E.164, an e-mail address or `NUMBER*EXTENSION`.
 * @throws {CommandError} `usage` (exit 2).
 */
export async function passwordIdentity(
  name: string,
  extension: string | undefined,
): Promise<PasswordIdentity> {
  const [typed = '', inline, ...rest] = name.trim().split('*');
  const { number } = await readWrittenNumber(typed);
  if (extension !== undefined && !/^\d{1,10}$/.test(extension)) {
    throw usageError(
      `--extension "${extension}" is not a valid extension number`,
      'use up to 10 digits, such as 101',
    );
  }
  if (inline !== undefined) {
    if (rest.length > 0 || !isE164(number) || !/^\d{1,10}$/.test(inline)) throw badName(name);
    if (extension !== undefined && extension !== inline) {
      throw usageError(
        `--username has extension ${inline}, but --extension is ${extension}`,
        'remove one of them',
      );
    }
    return { username: number, extension: inline, mayBeCompany: false };
  }
  if (isE164(number)) return { username: number, extension, mayBeCompany: extension === undefined };
  if (/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(number)) return { username: number, extension, mayBeCompany: false };
  throw badName(name);
}

function badName(name: string): Error {
  return usageError(
    `--username "${name}" is not a valid E.164 number or e-mail address`,
    'examples: +16505550100, +16505550100*101, alice@example.com',
  );
}
