import type { Subscription } from '../../../contract/subscription.ts';
import { messageOf } from '../../../errors/command.ts';
import { retryText } from '../../../errors/hint-of.ts';
import { isMissingResource } from '../../../errors/service-codes.ts';
import { FilterReport } from './filters-in-effect.ts';
import { deleteAbandoned } from './abandoned.ts';
import { openSubscription } from './create.ts';
import { recordCreated } from './created-ids.ts';
import { othersOf } from './lost-creation.ts';
import { hasSecretPath } from './secret-path.ts';
import { renewSubscription } from './renew.ts';
import type { LifecycleSettings, SessionSubscription } from './session-subscription.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';

/** Longest wait for the service when the subscription is deleted. */
const shutdownMilliseconds = 5000;

/** The subscription of one run, which is created, renewed in the background, and deleted when the run ends. */
export class SubscriptionLifecycle implements SessionSubscription {
  readonly #settings: LifecycleSettings;
  readonly #stop = new AbortController();
  #subscription: Subscription | undefined;
  /** Whether another program may have created the subscription. Then this run does not record, change or delete it. */
  #isAdopted = false;
  #eventFilters: readonly string[];
  /** The filters that the service got last. */
  #sentFilters: readonly string[] | undefined;
  /** The creation in progress. */
  #creating: Promise<Subscription> | undefined;
  readonly #report: FilterReport;
  #renewing: Promise<void> = Promise.resolve();

  constructor(settings: LifecycleSettings) {
    this.#settings = settings;
    this.#eventFilters = settings.request.eventFilters;
    this.#report = new FilterReport((text) => settings.ctx.out.warn(text));
  }

  /** Deletes the subscriptions of killed runs, and creates the subscription of this run. */
  async begin(): Promise<Subscription> {
    await deleteAbandoned(this.#settings);
    return this.#create(this.#settings.ctx.signal);
  }

  /**
   * Changes the event filters, including those of a subscription that is recreated later. A creation in progress may
   * have sent the earlier filters, so the created subscription is changed when it exists.
   */
  async changeFilters(eventFilters: readonly string[]): Promise<void> {
    const { api, ctx, onUpdate } = this.#settings;
    const wanted = [...eventFilters];
    this.#eventFilters = wanted;
    const isSent = (): boolean => this.#sentFilters === wanted;
    await this.#creating?.catch(() => undefined);
    const present = this.#subscription;
    if (!present || isSent()) return;
    if (this.#isAdopted) return this.#replaceAdopted(present);
    const update = api.subscriptions.update(present.id, { eventFilters: wanted }, { signal: ctx.signal });
    const updated = await update.catch(async (error: unknown) => {
      await this.#creating?.catch(() => undefined);
      if (!isSent()) throw error;
      return undefined;
    });
    // A subscription that replaced this one during the request has the new filters, and its own channel.
    if (!updated || isSent()) return;
    this.#sentFilters = wanted;
    await onUpdate(updated);
  }

  /** Creates a subscription of this run, because another program may need the filters of the adopted subscription. */
  async #replaceAdopted(adopted: Subscription): Promise<void> {
    await this.#create(this.#settings.ctx.signal);
    this.#leaveAdopted(adopted);
  }

  async #create(signal: AbortSignal): Promise<Subscription> {
    this.#creating = this.#createOnce(signal);
    try {
      return await this.#creating;
    } finally {
      this.#creating = undefined;
    }
  }

  async #createOnce(signal: AbortSignal): Promise<Subscription> {
    const { api, recorded, onUpdate, ctx } = this.#settings;
    const eventFilters = this.#eventFilters;
    const request = { ...this.#settings.request, eventFilters: [...eventFilters] };
    const { address } = request.deliveryMode;
    const isAddressOurs = address !== undefined && hasSecretPath(address);
    // If the process is killed before the reply, the next run finds the subscription by its address.
    if (isAddressOurs) this.#recordAddress(address);
    const isOfOther = ({ id, deliveryMode }: Subscription): boolean =>
      recorded.isOfOther(id, deliveryMode.address);
    const others = isAddressOurs
      ? undefined
      : othersOf(ctx, api, await api.subscriptions.list({ signal }), isOfOther);
    const { subscription: created, isAdopted } = await openSubscription(api, request, others, signal);
    this.#subscription = created;
    this.#isAdopted = isAdopted;
    this.#sentFilters = eventFilters;
    if (isAdopted) this.#reportAdopted(created.id);
    else this.#recordId(created.id);
    this.#report.report(eventFilters, created);
    await onUpdate(created);
    return created;
  }

  #recordId(id: string): void {
    try {
      this.#settings.recorded.set(id);
    } catch (error) {
      this.#settings.ctx.out.warn(
        nextStep`could not record the subscription (${messageOf(error)}); if this run is killed, delete the subscription: ${ucctl`subscribe delete ${id}`}`,
      );
    }
  }

  #recordAddress(address: string): void {
    try {
      this.#settings.recorded.setAddress(address);
    } catch (error) {
      this.#settings.ctx.out.warn(
        nextStep`could not record the address of the subscription (${messageOf(error)}); if this run is killed, delete the subscription: ${ucctl('subscribe list')}`,
      );
    }
  }

  /** Starts to renew, check and, if needed, recreate the subscription in the background. */
  startRenewal(): void {
    const { api, ctx, onUpdate, onGap } = this.#settings;
    const { signal } = this.#stop;
    const subscription = this.#subscription;
    if (!subscription) return;
    const options = { signal };
    this.#renewing = renewSubscription({
      subscription,
      port: {
        create: () => this.#creating ?? this.#create(signal),
        // A change of the filters may have replaced the subscription.
        get: (id) => api.subscriptions.get(this.#subscription?.id ?? id, options),
        renew: (id) => api.subscriptions.renew(this.#subscription?.id ?? id, options),
        delete: async (id) => {
          if (!this.#isAdopted) await api.subscriptions.delete(id, options);
        },
      },
      now: () => ctx.now(),
      sleep: async (milliseconds) => {
        await ctx.sleep(milliseconds, signal);
        // If the wait ends immediately before the abort, it does not reject.
        signal.throwIfAborted();
      },
      onUpdate: (updated) => {
        // The reply to a request that began before the subscription was replaced.
        if (updated.id !== this.#subscription?.id) return;
        this.#subscription = updated;
        this.#report.report(this.#sentFilters ?? this.#eventFilters, updated);
        onUpdate(updated).catch((error: unknown) => {
          ctx.out.warn(`could not monitor the subscription: ${messageOf(error)}`);
        });
      },
      onFailure: (error) => {
        if (!signal.aborted)
          ctx.out.warn(nextStep`could not check or renew the subscription: ${retryText(error)}`);
      },
      onGap,
    }).catch(() => undefined);
  }

  /** Stops the renewal and leaves the subscription on the service. */
  async detach(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    const { ctx, recorded } = this.#settings;
    const { id } = this.#subscription ?? {};
    if (id !== undefined) recordCreated(ctx, id);
    recorded.forget();
    if (id !== undefined) ctx.out.note(`Subscription ${id} was not deleted (--keep).`);
  }

  /**
   * Stops the renewal and deletes the subscription, even after Ctrl-C. After a lost reply, two runs may have found the same
   * subscription. The last of them deletes it.
   */
  async delete(): Promise<void> {
    this.#stop.abort();
    await this.#renewing;
    const { api, ctx, recorded, isHidden } = this.#settings;
    if (!this.#subscription) return;
    if (this.#isAdopted) return this.#leaveAdopted(this.#subscription);
    const { id } = this.#subscription;
    if (recorded.forgetIfShared(id)) return;
    const limit = AbortSignal.timeout(shutdownMilliseconds);
    try {
      await api.subscriptions
        .delete(id, { signal: limit })
        // 404 means that the subscription has expired, or that another program has deleted it.
        .catch((error: unknown) => {
          if (!isMissingResource(error)) throw error;
        });
      if (!isHidden) ctx.out.note(`Subscription ${id} deleted.`);
    } catch (error) {
      const why = limit.aborted ? `no reply within ${shutdownMilliseconds / 1000} s` : messageOf(error);
      ctx.out.warn(
        nextStep`could not delete subscription ${id} (${why}); retry with: ${ucctl`subscribe delete ${id}`}`,
      );
      return;
    }
    try {
      recorded.forget();
    } catch {
      // The next run tries to delete the subscription again, and ignores the 404.
    }
  }

  /** A killed run cannot report that it leaves the subscription, and no later run deletes it. */
  #reportAdopted(id: string): void {
    this.#settings.ctx.out.warn(
      nextStep`the reply to the request was lost; this run uses subscription ${id}, which another program may have created; if this run is killed, delete the subscription if no program uses it: ${ucctl`subscribe delete ${id}`}`,
    );
  }

  #leaveAdopted({ id, expirationTime }: Subscription): void {
    this.#settings.ctx.out.warn(
      nextStep`subscription ${id} was not deleted, because this run lost the reply to its request, and another program may have created the subscription; it expires at ${expirationTime}; to delete it: ${ucctl`subscribe delete ${id}`}`,
    );
  }
}
