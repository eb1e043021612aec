import type { CallScope, Client } from '../../client/index.ts';
import { extensionIdOf } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { dialects } from '../../contract/dialects.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { type CommandText, nextStep, ucctl } from '../../errors/hint.ts';
import { forAdministrators } from '../../runtime/whole-account.ts';

/** Returns the scope of a command: one extension, or without `--extension` the whole account. */
export async function scopeOf(ctx: Context, api: Client, extension: string | undefined): Promise<CallScope> {
  if (extension === undefined) return 'account';
  return { extensionId: await extensionIdOf(api, extension, ctx.signal) };
}

/**
 * Checks the types of calls that a command filters by. Unknown types are sent, because the service may have them.
 * @throws {CommandError} `usage` (exit 2) for a type that only another dialect has.
 */
export function checkCallTypes({ settings }: Context, types: readonly string[]): void {
  const { value: name } = settings.dialect;
  const own: readonly string[] = dialects[name].callTypes;
  const others = new Set(Object.values(dialects).flatMap(({ callTypes }): readonly string[] => callTypes));
  const wrong = types.find((type) => !own.includes(type) && others.has(type));
  if (wrong === undefined) return;
  throw usageError(
    `--type: "${wrong}" is not a valid call type in dialect ${name}; this dialect has the types ${own.join(' and ')}`,
    wrong === 'SMS' ? ucctl('sms list') : undefined,
  );
}

/** Explains a missing permission and suggests an alternative; returns any other error unchanged. */
export function explainMissingPermission(error: unknown, scope: CallScope, command: CommandText): unknown {
  if (!isRejectedByService(error, 403)) return error;
  if (scope === 'account')
    return forAdministrators(
      'the calls',
      nextStep`to read your own calls: ${ucctl`${command} --extension ~`}`,
      error,
    );
  if (scope.extensionId === '~') return error;
  return new CommandError(
    'permission_missing',
    Exit.permission,
    "the service returns an extension's calls only to its own user, not to administrators",
    {
      need: 'a sign-in as the extension',
      hint: nextStep`to read your own calls: ${ucctl`${command} --extension ~`}; as an administrator, to filter the calls of the account: ${ucctl`${command} --extension-number NUMBER`}`,
      cause: error,
    },
  );
}

/** Reads the records, and explains a missing permission. */
export async function* explained<T>(
  records: AsyncIterable<T>,
  scope: CallScope,
  command: CommandText,
): AsyncGenerator<T, void, undefined> {
  try {
    yield* records;
  } catch (error) {
    throw explainMissingPermission(error, scope, command);
  }
}
