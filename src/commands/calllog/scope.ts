import type { CallScope, Client } from '../../client/index.ts';
import { extensionIdOf } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { isRefusedWith } from '../../errors/service.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { forAdministrators } from '../../runtime/whole-account.ts';

/** Whose calls a command is about. Without `--extension` those of the whole account. */
export async function scopeOf(ctx: Context, api: Client, extension: string | undefined): Promise<CallScope> {
  if (extension === undefined) return 'account';
  return { extensionId: await extensionIdOf(api, extension, ctx.signal) };
}

/** Says why the service refused, and what works instead; any other error is given back as it is. */
export function explainRefusal(error: unknown, scope: CallScope, command: string): unknown {
  if (!isRefusedWith(error, 403)) return error;
  if (scope === 'account')
    return forAdministrators(
      'the calls',
      nextStep`your own calls: ${ucctl(`${command} --extension ~`)}`,
      error,
    );
  if (scope.extensionId === '~') return error;
  return new CommandError(
    'permission_missing',
    Exit.permission,
    'the service gives the calls of an extension to its own user only, not even to administrators',
    {
      need: 'the sign-in of that extension',
      hint: nextStep`your own: ${ucctl(`${command} --extension ~`)}; as an administrator, of the whole account and filtered: ${ucctl(`${command} --extension-number NUMBER`)}`,
      cause: error,
    },
  );
}

/** The records, with a refusal explained. */
export async function* explained<T>(
  records: AsyncIterable<T>,
  scope: CallScope,
  command: string,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* records;
  } catch (error) {
    throw explainRefusal(error, scope, command);
  }
}
