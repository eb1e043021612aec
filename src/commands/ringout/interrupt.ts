import type { Client } from '../../client/index.ts';
import type { RingOut } from '../../contract/ringout.ts';
import { explainCall, isOver } from '../../features/ringout/index.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import { ApiError } from '../../errors/service.ts';

/** After Ctrl-C: cancels the call if it can still be cancelled, and reports whether it was (CLIENT-12). */
export async function cancelInterrupted(ctx: Context, api: Client, call: RingOut): Promise<void> {
  if (isOver(call, 'finished')) return ctx.out.warn(`the call ${call.id} was over already`);
  try {
    // Without the run's signal, which is what ended the waiting.
    await api.ringOuts.cancel(call.id, { timeoutMilliseconds: 10_000 });
    ctx.out.warn(`the call ${call.id} was cancelled`);
  } catch (error) {
    const why = error instanceof ApiError ? explainCall(await asItIsNow(api, call)) : messageOf(error);
    ctx.out.warn(
      `the call ${call.id} was NOT cancelled (${why}); hang up by hand, or: ucctl ringout status ${call.id}`,
    );
  }
}

/** What was seen last may be some seconds old: the called side has answered since. */
async function asItIsNow(api: Client, call: RingOut): Promise<RingOut> {
  try {
    return await api.ringOuts.get(call.id, { timeoutMilliseconds: 5000 });
  } catch {
    return call;
  }
}
