import type { Client } from '../../client/index.ts';
import { explainCall, ringOutView, toState } from '../../features/ringout/index.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit } from '../../errors/command.ts';
import { isRefusedWith } from '../../errors/service.ts';
import type { RingOutIdOptions } from './status.ts';

/** `ringout cancel ID` */
export async function cancelRingOut(ctx: Context, { id }: RingOutIdOptions): Promise<void> {
  const api = await ctx.api();
  try {
    await api.ringOuts.cancel(id);
  } catch (error) {
    if (!isRefusedWith(error, 409)) throw error;
    throw await tooLate(ctx, api, id, error);
  }
  ctx.out.note(`the call ${id} was cancelled`);
  const call = await api.ringOuts.get(id, { signal: ctx.signal });
  await ctx.out.record(toState(call, ctx.now()), ringOutView);
}

/** The service refuses once the called side is not InProgress any more: the words say what it is. */
async function tooLate(ctx: Context, api: Client, id: string, cause: Error): Promise<CommandError> {
  const call = await api.ringOuts.get(id, { signal: ctx.signal });
  const hasAnswered = call.status.calleeStatus === 'Success';
  return new CommandError(
    'too_late',
    Exit.conflict,
    `the call ${id} cannot be cancelled: ${hasAnswered ? 'the called side has answered' : explainCall(call)}`,
    { hint: hasAnswered ? 'hang up at one of the telephones' : 'there is nothing left to cancel', cause },
  );
}
