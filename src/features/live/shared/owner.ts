import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import { messageOf } from '../../../errors/command.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { Context } from '../../../runtime/context.ts';
import { Gaps } from '../recover/gaps.ts';
import type { RecoveryStore } from '../recover/recovery.ts';
import { FilterReport } from '../subscription/filters-in-effect.ts';
import { renewSubscription } from '../subscription/renew.ts';
import { recordAsOwner, type OwnerReport, type ReceiverTurn } from './receiver-table.ts';
import { deleteIfKnown, ensureSubscription } from './shared-subscription.ts';

/** The values that the owner of a receiver needs for its duties. */
export interface OwnerSettings {
  readonly ctx: Context;
  readonly db: Postgres;
  readonly api: Client;
  readonly receiver: string;
  readonly request: SubscriptionRequest;
  readonly recovery: RecoveryStore;
  /** Aborts when the process is no longer the owner, or ends. */
  readonly signal: AbortSignal;
  /** Called when the subscription is active and recorded. */
  readonly onReady: (subscription: Subscription) => void;
}

/** Thrown if another process has become the owner. */
class NotOwnerError extends Error {
  override readonly name = 'NotOwnerError';
}

/**
 * The duties of the owner: create or find the subscription, recover missed events, and renew the subscription until the
 * signal aborts.
 * @throws if the owner cannot fulfill its duties, so that another process can try.
 */
export async function own(
  settings: OwnerSettings,
  fence: number,
  turn: Pick<ReceiverTurn, 'subscriptionId' | 'replaces' | 'recovers'>,
): Promise<void> {
  const duties = new Duties(settings, fence);
  try {
    await duties.fulfill(turn);
  } catch (error) {
    if (error instanceof NotOwnerError || settings.signal.aborted) return;
    // Until the next owner succeeds, events may be missed.
    await duties.record({ problem: messageOf(error), recovers: true }).catch(() => undefined);
    throw error;
  }
}

class Duties {
  readonly #settings: OwnerSettings;
  readonly #fence: number;
  readonly #report: FilterReport;

  constructor(settings: OwnerSettings, fence: number) {
    this.#settings = settings;
    this.#fence = fence;
    this.#report = new FilterReport((text) => settings.ctx.out.warn(text));
  }

  async fulfill(turn: Pick<ReceiverTurn, 'subscriptionId' | 'replaces' | 'recovers'>): Promise<void> {
    const { onReady, request } = this.#settings;
    const { subscription, isNew } = await this.#ensure(turn);
    this.#report.report(request.eventFilters, subscription);
    onReady(subscription);
    const gaps = this.#gapsOf(subscription);
    if (turn.recovers || isNew) {
      await this.record({ recovers: true, problem: null });
      if (await gaps.catchUp(true)) await this.record({ recovers: false, problem: null });
    }
    await this.#renew(subscription, gaps);
  }

  /** @throws {NotOwnerError} if another process is the owner. */
  async record(report: OwnerReport): Promise<void> {
    const { db, receiver } = this.#settings;
    if (!(await recordAsOwner(db, receiver, this.#fence, report))) throw new NotOwnerError();
  }

  async #ensure(recorded: Parameters<typeof ensureSubscription>[2]) {
    const { api, request, signal } = this.#settings;
    const found = await ensureSubscription(api, request, recorded, signal);
    try {
      await this.record({ subscriptionId: found.subscription.id, problem: null });
    } catch (error) {
      // The new owner has created or will create its own subscription.
      if (error instanceof NotOwnerError && found.isNew)
        await deleteIfKnown(api, found.subscription.id, AbortSignal.timeout(5000)).catch(() => undefined);
      throw error;
    }
    return found;
  }

  #gapsOf({ eventFilters }: Subscription): Gaps {
    const { ctx, api, recovery, signal } = this.#settings;
    return new Gaps(ctx, eventFilters, { store: recovery, api, signal, now: () => ctx.now() });
  }

  /** Renews the subscription. @throws at the first failure, because another process may reach the service. */
  async #renew(subscription: Subscription, gaps: Gaps): Promise<never> {
    const { ctx, api, request, signal } = this.#settings;
    const failed = new AbortController();
    let failure: unknown;
    let current = subscription;
    try {
      return await renewSubscription({
        subscription,
        port: {
          create: async () => {
            const found = await this.#ensure({ subscriptionId: current.id, replaces: false });
            return found.subscription;
          },
          get: (id) => api.subscriptions.get(id, { signal }),
          renew: (id) => api.subscriptions.renew(id, { signal }),
          delete: (id) => api.subscriptions.delete(id, { signal }),
        },
        now: () => ctx.now(),
        sleep: async (milliseconds) => {
          failed.signal.throwIfAborted();
          await ctx.sleep(milliseconds, signal);
          signal.throwIfAborted();
        },
        onUpdate: (updated) => {
          current = updated;
          this.#report.report(request.eventFilters, updated);
        },
        onFailure: (error) => {
          failure = error;
          failed.abort();
        },
        onGap: (gap) => gaps.fill(gap),
      });
    } catch (error) {
      throw failure ?? error;
    } finally {
      await gaps.settled();
    }
  }
}
