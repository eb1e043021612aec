import { CommandError, Exit } from '../errors/command.ts';
import type { Hint } from '../errors/hint.ts';

/**
 * Returns the error for data of the whole account, which only administrators can read (CALL-1, ACTIVE-1). `hint` names
 * the alternative for other users.
 */
export function forAdministrators(what: string, hint: Hint, cause: unknown): CommandError {
  return new CommandError(
    'permission_missing',
    Exit.permission,
    `${what} of the whole account require an administrator`,
    { need: 'permission ReadCompanyCallLog (an administrator)', hint, cause },
  );
}
