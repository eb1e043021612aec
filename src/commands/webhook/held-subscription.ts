import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '../../client/index.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { keepRenewed } from '../../features/inbox/index.ts';
import type { Context } from '../../runtime/context.ts';

/** Longest wait for the service when leaving. */
const farewell = 5000;

/** Keeps a subscription alive in the background until released, then deletes it. */
export function holdSubscription(
  ctx: Context,
  api: Client,
  subscription: Subscription,
): { release(): Promise<void> } {
  const stop = new AbortController();
  let failing = false;
  const renewing = keepRenewed({
    subscription,
    renew: (id) => api.subscriptions.renew(id, { signal: stop.signal }),
    now: () => ctx.now(),
    sleep: (milliseconds) => delay(milliseconds, undefined, { signal: stop.signal, ref: false }),
    onRenewed: () => {
      failing = false;
    },
    onFailure: (error) => {
      if (!failing && !stop.signal.aborted) {
        ctx.out.warn(`the subscription could not be renewed, trying again: ${messageOf(error)}`);
      }
      failing = true;
    },
  }).catch(() => undefined);
  return {
    async release() {
      stop.abort();
      await renewing;
      await remove(ctx, api, subscription.id);
    },
  };
}

async function remove(ctx: Context, api: Client, id: string): Promise<void> {
  try {
    // Not the run's signal: this is done because that one was aborted.
    await api.subscriptions.delete(id, { signal: AbortSignal.timeout(farewell) });
    ctx.out.note(`subscription ${id} deleted`);
  } catch (error) {
    ctx.out.warn(
      `subscription ${id} could not be deleted (${messageOf(error)}); try: ucctl subscribe delete ${id}`,
    );
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
