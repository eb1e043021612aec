import { phoneNumberText } from '../../platform/phone-number-text.ts';
import type { Context, SearchChoice } from '../../runtime/context.ts';
import { forAdministrators } from '../../runtime/whole-account.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { choicesOf, maxAge, maxRead, minuteText } from './lines.ts';

type CallLog = Awaited<ReturnType<Context['api']>>['callLog'];
type Call = ReturnType<CallLog['list']> extends AsyncIterable<infer C> ? C : never;
type OneCall<C> = C & { readonly takenBy?: Call['to'] };

/**
 * Reads the newest calls of the account, or of one extension.
 * @throws {CommandError} `permission_missing` if the user may not read the calls of the account.
 */
export async function callChoices(
  ctx: Context,
  { extension, signal }: { readonly extension: string | undefined; readonly signal: AbortSignal },
): Promise<readonly SearchChoice[]> {
  const calls: OneCall<Call>[] = [];
  try {
    for await (const call of await newestCalls(ctx, extension, signal)) calls.push(call);
  } catch (error) {
    if (extension !== undefined || !isRejectedByService(error, 403)) throw error;
    const own = ucctl('calllog show --extension ~');
    throw forAdministrators('the calls', nextStep`to show your own calls: ${own}`, error);
  }
  return choicesOf(
    calls.map((call) => ({
      value: call.id,
      cells: [
        minuteText(ctx, Date.parse(call.startTime)),
        call.type,
        [call.from, call.to, call.takenBy]
          .flatMap((party, at) => (at < 2 || party ? [partyOf(party)] : []))
          .join(' → '),
        call.result ?? '',
      ],
      also: [call.id, call.sessionId],
    })),
  );
}

async function newestCalls(
  ctx: Context,
  extension: string | undefined,
  signal: AbortSignal,
): Promise<AsyncIterable<OneCall<Call>>> {
  const api = await ctx.api();
  const { extensionIdOf } = await import('../../features/directory/index.ts');
  const scope =
    extension === undefined ? 'account' : { extensionId: await extensionIdOf(api, extension, signal) };
  const filter = { dateFrom: new Date(ctx.now() - maxAge).toISOString() };
  const { oneRecordPerCall } = await import('../../features/call-stats/one-call.ts');
  const { knownQueueIds } = await import('../../features/known-values/index.ts');
  return oneRecordPerCall(api.callLog.list(scope, filter, { limit: maxRead, perPage: maxRead, signal }), {
    queueIds: () => knownQueueIds(ctx, () => api.extensions.list({ type: ['Department'] }, { signal })),
  });
}

function partyOf(party: Call['from']): string {
  const { name, phoneNumber, extensionNumber } = party ?? {};
  if (name !== undefined && extensionNumber !== undefined) return `${name} (${extensionNumber})`;
  const number = phoneNumber === undefined ? extensionNumber : phoneNumberText(phoneNumber);
  return [name, number].filter((word) => word !== undefined).join(' ') || 'unknown';
}
