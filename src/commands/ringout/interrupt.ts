import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import type { RingOut } from '../../contract/ringout.ts';
import {
  explainCall,
  isOver,
  isUncancelled,
  mayBeCanceled,
  readCancelled,
} from '../../features/ringout/index.ts';
import type { Context } from '../../runtime/context.ts';
import { messageOf } from '../../errors/command.ts';
import { ApiError, OutcomeUnknownError } from '../../errors/service.ts';
import { mayBeMade } from '../../runtime/confirmed-change.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/**
 * After Ctrl-C, or `q` in the live view: cancels the call if possible, and reports whether it was canceled or continues
 * (CLIENT-12).
 */
export async function cancelInterrupted(ctx: Context, api: Client, call: RingOut): Promise<void> {
  const { id } = call;
  if (isOver(call, 'finished')) return ctx.out.warn(`call ${id} has already ended`);
  const check = nextStep`to check the call: ${ucctl`ringout status ${id}`}`;
  if (!mayBeCanceled(call))
    return ctx.out.warn(
      nextStep`call ${id} continues (${explainCall(call)}); to end the call, hang up your phone; ${check}`,
    );
  const why = await cancelled(api, call);
  ctx.out.warn(
    why === undefined
      ? `canceled call ${id}`
      : nextStep`could not cancel call ${id} (${why}); hang up your phone; ${check}`,
  );
}

/**
 * Cancels the call and reads it back. Returns undefined if it was canceled, otherwise the reason why it was not
 * canceled. These requests do not use the signal of the run, because Ctrl-C may have aborted it.
 */
async function cancelled(api: Client, call: RingOut): Promise<string | undefined> {
  try {
    await api.ringOuts.cancel(call.id, { timeoutMilliseconds: 10_000 });
  } catch (error) {
    const isUnknown = error instanceof OutcomeUnknownError || mayBeMade(error);
    if (!isUnknown && error instanceof ApiError) return explainCall(await latestState(api, call));
    if (!isUnknown) return messageOf(error);
  }
  try {
    const last = await readCancelled(api, call, { timeoutMilliseconds: 5000, sleep: (time) => delay(time) });
    return isUncancelled(last) ? explainCall(last) : undefined;
  } catch (error) {
    return `cannot read the call: ${messageOf(error)}`;
  }
}

/** The last known state may be some seconds old: the callee may have answered in the meantime. */
async function latestState(api: Client, call: RingOut): Promise<RingOut> {
  try {
    return await api.ringOuts.get(call.id, { timeoutMilliseconds: 5000 });
  } catch {
    return call;
  }
}
