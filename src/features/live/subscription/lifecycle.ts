import type { Client } from '../../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../../contract/subscription.ts';
import type { Context } from '../../../runtime/context.ts';
import { messageOf } from '../../../errors/command.ts';
import { isRefusedWith } from '../../../errors/service.ts';
import { filterWarnings } from './filters-in-effect.ts';
import type { RecordedSubscription } from './recorded-id.ts';
import { openSubscription } from './create.ts';
import type { AbandonedReceiver } from './receiver-name.ts';
import { hasSecretPath } from './secret-path.ts';
import { renewSubscription, type Gap } from './renew.ts';

export interface LifeSettings {
  readonly ctx: Context;
  readonly api: Client;
  readonly recorded: RecordedSubscription;
  /** Receivers of the same kind that a killed process left; their subscriptions are deleted at the start. */
  readonly abandoned: () => Iterable<AbandonedReceiver>;
  readonly request: SubscriptionRequest;
  readonly onCopy: (subscription: Subscription) => Promise<void>;
  readonly onGap: (gap: Gap) => void;
}

/** Longest wait for the service when leaving. */
const shutdownMilliseconds = 5000;

/** The subscription of one run: made, kept delivering in the background, deleted at the end. */
export class SubscriptionLife {
  readonly #settings: LifeSettings;
  readonly #stop = new AbortController();
  #subscription: Subscription | undefined;
  #eventFilters: readonly string[];
  /** Differences of the last copy from what was asked for. */
  #reported: readonly string[] = [];
  #renewing: Promise<void> = Promise.resolve();

  constructor(settings: LifeSettings) {
    this.#settings = settings;
    this.#eventFilters = settings.request.eventFilters;
  }

  /** Creates it, after deleting those that killed runs left behind. */
  async begin(): Promise<Subscription> {
    const { ctx, recorded, abandoned } = this.#settings;
    if (recorded.id !== undefined) await this.#deleteLeft(recorded.id);
    for (const left of abandoned()) {
      try {
        if (left.recorded.id !== undefined) await this.#deleteLeft(left.recorded.id);
        left.recorded.forget();
      } finally {
        left.release();
      }
    }
    return this.#create(ctx.signal);
  }

  /** A subscription that cannot be deleted does not stop the run: it may be gone, or belong to somebody else. */
  async #deleteLeft(id: string): Promise<void> {
    const { api, ctx } = this.#settings;
    await api.subscriptions.delete(id, { signal: ctx.signal }).catch((error: unknown) => {
      if (ctx.signal.aborted) throw error;
    });
  }

  /** Changes the event filters, also for the case that the subscription has to be created anew. */
  async changeFilters(eventFilters: readonly string[]): Promise<void> {
    const { api, ctx, onCopy } = this.#settings;
    this.#eventFilters = [...eventFilters];
    const id = this.#subscription?.id;
    if (id === undefined) return;
    const request = { eventFilters: [...eventFilters] };
    await onCopy(await api.subscriptions.update(id, request, { signal: ctx.signal }));
  }

  async #create(signal: AbortSignal): Promise<Subscription> {
    const { api, recorded, onCopy, ctx } = this.#settings;
    const request = { ...this.#settings.request, eventFilters: [...this.#eventFilters] };
    const made = await openSubscription(api, request, signal, {
      addressIsOurs: hasSecretPath(request.deliveryMode.address),
    });
    this.#subscription = made;
    try {
      recorded.set(made.id);
    } catch (error) {
      ctx.out.warn(
        `the subscription could not be written down (${messageOf(error)}); should this run be killed, delete it: ucctl subscribe delete ${made.id}`,
      );
    }
    this.#reportFilters(made);
    await onCopy(made);
    return made;
  }

  /** Says how the filters differ from those asked for, when that is news: a renewal may change any of them. */
  #reportFilters(copy: Subscription): void {
    const { ctx } = this.#settings;
    const differences = filterWarnings(this.#eventFilters, copy);
    for (const warning of differences) if (!this.#reported.includes(warning)) ctx.out.warn(warning);
    this.#reported = differences;
  }

  /** Renews, looks after and replaces it in the background from now on. */
  keep(): void {
    const { api, ctx, onCopy, onGap } = this.#settings;
    const { signal } = this.#stop;
    const subscription = this.#subscription;
    if (!subscription) return;
    const options = { signal };
    this.#renewing = renewSubscription({
      subscription,
      port: {
        create: () => this.#create(signal),
        get: (id) => api.subscriptions.get(id, options),
        renew: (id) => api.subscriptions.renew(id, options),
        delete: (id) => api.subscriptions.delete(id, options),
      },
      now: () => ctx.now(),
      sleep: async (milliseconds) => {
        await ctx.sleep(milliseconds, signal);
        // A wait that was over just before the end does not reject.
        signal.throwIfAborted();
      },
      onCopy: (copy) => {
        this.#subscription = copy;
        this.#reportFilters(copy);
        void onCopy(copy);
      },
      onFailure: (error) => {
        if (!signal.aborted)
          ctx.out.warn(`the subscription cannot be looked after, trying again: ${messageOf(error)}`);
      },
      onGap,
    }).catch(() => undefined);
  }

  /** Stops looking after it and leaves it with the service. */
  async leave(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    this.#settings.recorded.forget();
    if (this.#subscription) this.#settings.ctx.out.note(`subscription ${this.#subscription.id} kept`);
  }

  /** Stops looking after it and deletes it, also after Ctrl-C. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    const { api, ctx, recorded } = this.#settings;
    const id = this.#subscription?.id;
    if (id === undefined) return;
    const limit = AbortSignal.timeout(shutdownMilliseconds);
    try {
      await api.subscriptions
        .delete(id, { signal: limit })
        // It has expired, or somebody else has deleted it.
        .catch((error: unknown) => {
          if (!isRefusedWith(error, 404)) throw error;
        });
      ctx.out.note(`subscription ${id} deleted`);
    } catch (error) {
      const why = limit.aborted ? `no answer within ${shutdownMilliseconds / 1000} s` : messageOf(error);
      ctx.out.warn(`subscription ${id} could not be deleted (${why}); try: ucctl subscribe delete ${id}`);
      return;
    }
    try {
      recorded.forget();
    } catch {
      // The next run finds it, and that it is gone.
    }
  }
}
