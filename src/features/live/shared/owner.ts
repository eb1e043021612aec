import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import { NotOwnerError } from '../log/not-owner.ts';
import { Gaps, missedPeriod, repeatRecovery } from '../recover/gaps.ts';
import { AddressRejectedError } from '../subscription/create.ts';
import { FilterReport } from '../subscription/filters-in-effect.ts';
import { renewSubscription } from '../subscription/renew.ts';
import { OwnerRecord } from './owner-record.ts';
import type { OwnerSettings, OwnerTurn } from './receiving.ts';
import { Recoveries } from './recoveries.ts';
import { deleteIfKnown, ensureSubscription } from './shared-subscription.ts';

/** Milliseconds between attempts to create the subscription while the service cannot reach the receiver. */
const addressWait = 10_000;
/** A load balancer may take minutes until it forwards requests to a new receiver. */
const longestAddressWait = 300_000;

/** The settings of an owner that manages the subscription over HTTP. */
type HttpOwnerSettings = OwnerSettings & { readonly request: SubscriptionRequest };

/**
 * The duties of the owner: create or find the subscription, recover missed events, and renew the subscription until the
 * signal aborts.
 * @throws if the owner cannot fulfill its duties, so that another process can try.
 */
export async function own(settings: HttpOwnerSettings, fence: number, turn: OwnerTurn): Promise<void> {
  const record = new OwnerRecord(settings.db, settings.receiver, fence);
  await record.while([settings.signal, settings.ctx.signal], () =>
    new Duties(settings, record).fulfill(turn),
  );
}

class Duties {
  readonly #settings: HttpOwnerSettings;
  readonly #record: OwnerRecord;
  readonly #report: FilterReport;
  readonly #recoveries: Recoveries;

  constructor(settings: HttpOwnerSettings, record: OwnerRecord) {
    this.#settings = settings;
    this.#record = record;
    this.#report = new FilterReport((text) => settings.ctx.out.warn(text));
    this.#recoveries = new Recoveries(record);
  }

  async fulfill(turn: OwnerTurn): Promise<void> {
    const { onReady, request, wasReady } = this.#settings;
    const { subscription, isNew } = await this.#ensureAtStart(turn);
    this.#report.report(request.eventFilters, subscription);
    onReady(subscription);
    const gaps = this.#gapsOf(subscription);
    const catchUp = (): Promise<boolean> => gaps.catchUp(true, missedPeriod(wasReady));
    const isRecovered = !(turn.recovers || isNew) || (await this.#recoveries.start(catchUp));
    await this.#renew(subscription, gaps, isRecovered);
  }

  /**
   * Finds or creates the subscription. Waits for a load balancer with health checks: it forwards no handshake to a receiver
   * that has just started, and the receiver fails the health checks if it ends.
   */
  async #ensureAtStart(turn: OwnerTurn) {
    const { ctx, signal, wasReady } = this.#settings;
    for (let waited = 0; ; waited += addressWait) {
      try {
        return await this.#ensure(turn);
      } catch (error) {
        if (wasReady || waited >= longestAddressWait || !(error instanceof AddressRejectedError)) throw error;
        await this.#record.report({ problem: error.message });
        if (waited === 0)
          ctx.out.warn(
            `${error.message}; retrying for ${longestAddressWait / 60_000} min, because a load balancer may need time`,
          );
        await ctx.sleep(addressWait, signal);
      }
    }
  }

  async #ensure(recorded: Parameters<typeof ensureSubscription>[2]) {
    const { api, request, signal } = this.#settings;
    const found = await ensureSubscription(api, request, recorded, signal);
    try {
      await this.#record.report({
        subscriptionId: found.subscription.id,
        problem: null,
        ...(found.isNew && { recovers: true }),
      });
    } catch (error) {
      if (error instanceof NotOwnerError && found.isNew)
        await this.#withdraw(found.subscription.id).catch(() => undefined);
      throw error;
    }
    return found;
  }

  /** Deletes a new subscription, unless the new owner has found it by its address instead of creating its own. */
  async #withdraw(id: string): Promise<void> {
    if (await this.#record.isRecorded(id)) return;
    await deleteIfKnown(this.#settings.api, id, AbortSignal.timeout(5000));
  }

  #gapsOf({ eventFilters }: Subscription): Gaps {
    const { ctx, api, recovery, signal } = this.#settings;
    return new Gaps(ctx, eventFilters, { store: recovery, api, signal, now: () => ctx.now() });
  }

  /** Repeats a failed recovery until it succeeds. @throws when the duties end. */
  #recoverAgain(recover: () => Promise<boolean>): Promise<void> {
    const { ctx, signal } = this.#settings;
    return repeatRecovery(recover, (milliseconds) => ctx.sleep(milliseconds, signal));
  }

  /** Renews the subscription. @throws at the first failure, because another process may reach the service. */
  async #renew(subscription: Subscription, gaps: Gaps, isRecovered: boolean): Promise<never> {
    const { ctx, api, request, signal, wasReady } = this.#settings;
    const failed = new AbortController();
    let failure: unknown;
    const fail = (error: unknown): void => {
      failure ??= error;
      failed.abort();
    };
    const catchUp = (): Promise<boolean> =>
      this.#recoveries.start(() => gaps.catchUp(true, missedPeriod(wasReady)));
    if (!isRecovered) void this.#recoverAgain(catchUp).catch(fail);
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
        onFailure: fail,
        onGap: (gap) => {
          const recover = (): Promise<boolean> =>
            this.#recoveries.start(
              async () => (await gaps.fillNow(gap)) && gaps.catchUp(true, 'during the outage'),
            );
          recover()
            .then((isDone) => (isDone ? undefined : this.#recoverAgain(recover)))
            .catch(fail);
        },
      });
    } catch (error) {
      await this.#recoveries.settled();
      throw failure ?? error;
    }
  }
}
