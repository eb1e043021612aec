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
import { notReadBack, unconfirmed } from '../../runtime/confirmed-change.ts';
import { mayBeDeleted } from '../../runtime/confirmed-deletion.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { isRejectedWith, OutcomeUnknownError, ReplyError } from '../../errors/service.ts';
import type { RingOutIdOptions } from './status.ts';

export async function cancelRingOut(ctx: Context, { id }: RingOutIdOptions): Promise<void> {
  const api = await ctx.api();
  const unproven = await cancel(ctx, api, id);
  const call = await readCancelled(api, unreadCall(id), {
    signal: ctx.signal,
    sleep: (milliseconds) => ctx.sleep(milliseconds),
  }).catch((error: unknown) => {
    throw notReadBack(unproven, error, showCall(id));
  });
  if (isUncancelled(call)) throw await uncancelled(ctx, api, call, unproven);
  ctx.out.note(`Canceled call ${id}`);
  await ctx.out.record(toState(call, ctx.now()), ringOutView);
}

/** Requests the cancellation. @returns the error if no reply shows whether the call was canceled. */
async function cancel(ctx: Context, api: Client, id: string): Promise<Error | undefined> {
  try {
    await api.ringOuts.cancel(id);
    return undefined;
  } catch (error) {
    if (error instanceof OutcomeUnknownError || mayBeDeleted(error)) return error;
    if (!isRejectedWith(error, 409)) throw error;
    throw await tooLate(ctx, api, id, error);
  }
}

function showCall(id: string): Hint {
  return nextStep`to show the call: ${ucctl`ringout status ${id}`}`;
}

/** Returns the error for a call that continues after the request. `unproven` is the error if no reply confirms the request. */
async function uncancelled(
  ctx: Context,
  api: Client,
  call: RingOut,
  unproven: Error | undefined,
): Promise<Error> {
  const id = String(call.id);
  if (unproven instanceof OutcomeUnknownError) return tooLate(ctx, api, id, unproven);
  if (unproven === undefined || unproven instanceof ReplyError) return notCancelled(id, call);
  return unconfirmed(unproven, [`the call ${id} continues: ${explainCall(call)}`], showCall(id));
}

function notCancelled(id: string, call: RingOut): CommandError {
  return new CommandError(
    'not_in_effect',
    Exit.failed,
    'The service accepted the change, but it did not take effect.',
    {
      details: [`the call ${id} continues: ${explainCall(call)}`],
      hint: nextStep`hang up one of the phones; to show the call: ${ucctl`ringout status ${id}`}`,
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
