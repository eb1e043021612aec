import { CommandError, Exit } from '../errors/command.ts';
import type { Hint } from '../errors/hint.ts';

/** Data of the whole account is for administrators only (CALL-1, ACTIVE-1). `hint` names what works for everyone. */
export function forAdministrators(what: string, hint: Hint, cause: unknown): CommandError {
  return new CommandError(
    'permission_missing',
    Exit.permission,
    `${what} of the whole account are for administrators`,
    { need: 'permission ReadCompanyCallLog (an administrator)', hint, cause },
  );
}
