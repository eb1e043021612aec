import type { Client } from '../../client/index.ts';
import {
  isUncancelled,
  explainCall,
  readCancelled,
  ringOutView,
  toState,
  unreadCall,
} from '../../features/ringout/index.ts';
import type { RingOut } from '../../contract/ringout.ts';
import { notReadBack } from '../../runtime/confirmed-change.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { isRejectedWith, OutcomeUnknownError, ReplyError } from '../../errors/service.ts';
import type { RingOutIdOptions } from './status.ts';

export async function cancelRingOut(ctx: Context, { id }: RingOutIdOptions): Promise<void> {
  const api = await ctx.api();
  const unproven = await cancel(ctx, api, id);
  const call = await readCancelled(api, unreadCall(id), {
    signal: ctx.signal,
    sleep: (milliseconds) => ctx.sleep(milliseconds),
  }).catch((error: unknown) => {
    throw notReadBack(unproven, error, nextStep`to show the call: ${ucctl(`ringout status ${id}`)}`);
  });
  if (isUncancelled(call))
    throw unproven instanceof OutcomeUnknownError
      ? await tooLate(ctx, api, id, unproven)
      : notCancelled(id, call);
  ctx.out.note(`Canceled call ${id}`);
  await ctx.out.record(toState(call, ctx.now()), ringOutView);
}

/** Requests the cancellation. @returns the error if the replies do not show whether the call was canceled. */
async function cancel(
  ctx: Context,
  api: Client,
  id: string,
): Promise<ReplyError | OutcomeUnknownError | undefined> {
  try {
    await api.ringOuts.cancel(id);
    return undefined;
  } catch (error) {
    if (error instanceof ReplyError && error.mayBeDone && error.isEmpty) return error;
    if (error instanceof OutcomeUnknownError) return error;
    if (!isRejectedWith(error, 409)) throw error;
    throw await tooLate(ctx, api, id, error);
  }
}

function notCancelled(id: string, call: RingOut): CommandError {
  return new CommandError(
    'not_in_effect',
    Exit.failed,
    'The service accepted the change, but it did not take effect.',
    {
      details: [`the call ${id} continues: ${explainCall(call)}`],
      hint: nextStep`hang up one of the phones; to show the call: ${ucctl(`ringout status ${id}`)}`,
    },
  );
}

/** Returns the error for a call that the service no longer cancels: the callee has answered, or the call has ended. */
async function tooLate(ctx: Context, api: Client, id: string, cause: Error): Promise<CommandError> {
  const call = await api.ringOuts.get(id, { signal: ctx.signal });
  const hasAnswered = call.status.calleeStatus === 'Success';
  return new CommandError(
    'too_late',
    Exit.conflict,
    `cannot cancel call ${id}: ${hasAnswered ? 'the other party has answered' : explainCall(call)}`,
    {
      hint: hasAnswered
        ? 'to end the call, hang up one of the phones'
        : 'nothing to do: the call has already ended',
      cause,
    },
  );
}
