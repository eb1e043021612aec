import { CommandError, Exit } from '../errors/command.ts';
import type { Hint } from '../errors/hint.ts';

/** The service keeps something of the whole account for administrators (specification, Call log). `hint` is what works for everyone. */
export function forAdministrators(what: string, hint: Hint, cause: unknown): CommandError {
  return new CommandError(
    'permission_missing',
    Exit.permission,
    `${what} of the whole account are for administrators`,
    { need: 'permission ReadCompanyCallLog (an administrator)', hint, cause },
  );
}
