import { phoneNumberText } from '../../platform/phone-number-text.ts';
import type { Context, SearchChoice } from '../../runtime/context.ts';
import { forAdministrators } from '../../runtime/whole-account.ts';
import { isRejectedWith } from '../../errors/service.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { choicesOf, maxAge, maxRead, minuteText } from './lines.ts';

type CallLog = Awaited<ReturnType<Context['api']>>['callLog'];
type Call = ReturnType<CallLog['list']> extends AsyncIterable<infer C> ? C : never;

/**
 * Reads the newest calls of the account, or of one extension.
 * @throws {CommandError} `permission_missing` if the user may not read the calls of the account.
 */
export async function callChoices(
  ctx: Context,
  { extension, signal }: { readonly extension: string | undefined; readonly signal: AbortSignal },
): Promise<readonly SearchChoice[]> {
  const calls: Call[] = [];
  try {
    for await (const call of await newestCalls(ctx, extension, signal)) calls.push(call);
  } catch (error) {
    if (extension !== undefined || !isRejectedWith(error, 403)) throw error;
    const own = ucctl('calllog show --extension ~');
    throw forAdministrators('the calls', nextStep`for your own calls: ${own}`, error);
  }
  return choicesOf(
    calls.map((call) => ({
      value: call.id,
      cells: [
        minuteText(ctx, Date.parse(call.startTime)),
        call.type,
        `${partyOf(call.from)} → ${partyOf(call.to)}`,
        call.result,
      ],
      also: [call.id, call.sessionId],
    })),
  );
}

async function newestCalls(
  ctx: Context,
  extension: string | undefined,
  signal: AbortSignal,
): Promise<AsyncIterable<Call>> {
  const api = await ctx.api();
  const { extensionIdOf } = await import('../../features/directory/index.ts');
  const scope =
    extension === undefined ? 'account' : { extensionId: await extensionIdOf(api, extension, signal) };
  const filter = { dateFrom: new Date(ctx.now() - maxAge).toISOString() };
  return api.callLog.list(scope, filter, { limit: maxRead, perPage: maxRead, signal });
}

function partyOf(party: Call['from']): string {
  const { name, phoneNumber, extensionNumber } = party ?? {};
  const number = phoneNumber === undefined ? extensionNumber : phoneNumberText(phoneNumber);
  return [name, number].filter((word) => word !== undefined).join(' ') || 'unknown';
}
