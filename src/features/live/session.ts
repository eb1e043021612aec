import type { Client } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { keysWith } from './notification/decrypt.ts';
import { KeyFinder } from './notification/key-finder.ts';
import type { Received } from './notification/notification.ts';
import { verificationTokenOf } from './receive/verification-token.ts';
import type { EventStore } from './store/event-store.ts';
import type { Inbox } from './store/inbox.ts';
import { openInbox } from './store/open-inbox.ts';
import { SubscriptionLife } from './subscription/lifecycle.ts';
import { abandonedReceivers, acquireReceiver, type AcquiredReceiver } from './subscription/receiver-name.ts';
import { RecordedSubscription } from './subscription/recorded-id.ts';
import type { Gap } from './subscription/renew.ts';
import type { Intake, KeyedIntake, Transport } from './subscription/transport.ts';

/** Where the notifications of a session belong. */
export interface SessionPlace {
  readonly inbox: EventStore;
  /** Name of the receiver, which no other running process has. */
  readonly receiver: string;
}

/** What a live session subscribes to, and who gets what arrives. */
export interface LiveSessionPlan {
  /** Called when the service is needed; a session without a subscription may never need it. */
  readonly api: () => Promise<Client>;
  /** What to subscribe to; undefined to receive for a subscription that something else creates. */
  readonly request: Pick<SubscriptionRequest, 'eventFilters'> | undefined;
  /** Whether the service is asked to encrypt notifications. */
  readonly encryption?: boolean | undefined;
  readonly transport: Transport;
  /**
   * Name under which the subscription is recorded, so that the next run deletes what a killed one left. A second session beside the first gets a
   * number.
   */
  readonly receiver: string;
  /** Leaves the subscription with the service at the end. */
  readonly keep?: boolean | undefined;
  /** Time for replies in progress when the session ends. */
  readonly drainMilliseconds?: number | undefined;
  /** Gives what takes the notifications. Called before anything can arrive. */
  readonly sink: (place: SessionPlace) => Intake;
  /** Called when the subscription exists, before the first gap can be reported. */
  readonly onSubscribed?: ((subscription: Subscription, place: SessionPlace) => Promise<void>) | undefined;
  /** Called with each copy of the subscription, which may differ from the one before in any member. */
  readonly onCopy?: ((subscription: Subscription) => Promise<void>) | undefined;
  /** Events may have been missed: the subscription was gone, the machine slept, the channel was not reached. */
  readonly onGap: (gap: Gap) => void;
  /** Nothing can arrive any more. */
  readonly onFailure: (error: Error) => void;
}

/** A receiver, its subscription and the renewal of that, until it is closed. */
export interface LiveSession extends SessionPlace {
  /** As it was created; undefined for a session that receives for the subscription of something else. */
  readonly subscription: Subscription | undefined;
  /** Where the service delivers. */
  readonly address: string;
  /** Keys of encrypted notifications, the newest first. */
  readonly keys: () => readonly string[];
  /** Changes the event filters of the subscription. @throws the service's error. */
  watch(eventFilters: readonly string[]): Promise<void>;
  /** Deletes the subscription (unless it is to be kept) and stops receiving, also after Ctrl-C. */
  close(): Promise<void>;
}

const defaultDrain = 1000;

/**
 * Starts the receiver, subscribes it, records the subscription and renews it until the session is closed; a lost subscription is created
 * anew. Subscriptions that killed runs of this receiver recorded are deleted first. A failure leaves nothing behind.
 * @throws what the transport or the service throws.
 */
export async function openLiveSession(ctx: Context, plan: LiveSessionPlan): Promise<LiveSession> {
  const inbox = openInbox(ctx, true);
  let acquired: AcquiredReceiver;
  try {
    acquired = acquireReceiver(inbox, plan.receiver);
  } catch (error) {
    inbox.close();
    throw error;
  }
  const session = new OpenSession(ctx, plan, inbox, acquired);
  try {
    await session.open();
    return session;
  } catch (error) {
    await session.release();
    throw error;
  }
}

class OpenSession implements LiveSession {
  readonly inbox: Inbox;
  readonly receiver: string;
  readonly keys = (): readonly string[] => this.#keys();
  readonly #ctx: Context;
  readonly #plan: LiveSessionPlan;
  readonly #acquired: AcquiredReceiver;
  readonly #end = new AbortController();
  #keys: () => readonly string[] = () => [];
  #life: SubscriptionLife | undefined;
  #subscription: Subscription | undefined;

  constructor(ctx: Context, plan: LiveSessionPlan, inbox: Inbox, acquired: AcquiredReceiver) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.inbox = inbox;
    this.#acquired = acquired;
    this.receiver = acquired.name;
  }

  get subscription(): Subscription | undefined {
    return this.#subscription;
  }

  get address(): string {
    return this.#subscription?.deliveryMode.address ?? this.#plan.transport.url ?? '';
  }

  async watch(eventFilters: readonly string[]): Promise<void> {
    await this.#life?.changeFilters(eventFilters);
  }

  async open(): Promise<void> {
    const { transport, request, sink, onFailure } = this.#plan;
    await transport.open(this.#reading(sink(this)), onFailure);
    if (request) await this.#subscribe(request);
  }

  /** The intake of the transport. Where the subscription is not ours, the service is asked for keys when a notification cannot be read. */
  #reading(sink: Intake): KeyedIntake {
    const { api, request, transport } = this.#plan;
    const intake: KeyedIntake = {
      accept: (received) => sink.accept(received),
      reject: (reason, raw) => sink.reject(reason, raw),
      keys: this.keys,
    };
    if (request) return intake;
    const finder = new KeyFinder({
      api,
      address: () => transport.deliveryMode(false, undefined).address,
      now: () => this.#ctx.now(),
      signal: AbortSignal.any([this.#ctx.signal, this.#end.signal]),
      warn: (text) => this.#ctx.out.warn(text),
    });
    this.#keys = () => finder.keys;
    const accept = async (received: Received): Promise<unknown> =>
      sink.accept(received.notification ? received : await finder.open(received));
    return { ...intake, accept };
  }

  async #subscribe(request: Pick<SubscriptionRequest, 'eventFilters'>): Promise<void> {
    const ctx = this.#ctx;
    const { encryption = false, transport, onCopy, onGap, onSubscribed } = this.#plan;
    let keys: readonly string[] = [];
    this.#keys = () => keys;
    const life = new SubscriptionLife({
      ctx,
      api: await this.#plan.api(),
      recorded: new RecordedSubscription(this.inbox, this.receiver),
      abandoned: () => abandonedReceivers(this.inbox, this.#plan.receiver),
      request: { ...request, deliveryMode: transport.deliveryMode(encryption, verificationTokenOf(ctx)) },
      onCopy: async (copy) => {
        keys = keysWith(keys, copy);
        await transport.follow(copy);
        await onCopy?.(copy);
      },
      onGap,
    });
    const subscription = await life.begin();
    this.#life = life;
    this.#subscription = subscription;
    try {
      await onSubscribed?.(subscription, this);
      await transport.begin(subscription, (reason) => {
        const at = ctx.now();
        onGap({ from: at, to: at, reason });
      });
    } catch (error) {
      await this.#endSubscription();
      throw error;
    }
    life.keep();
  }

  async #endSubscription(): Promise<void> {
    await (this.#plan.keep ? this.#life?.leave() : this.#life?.end());
  }

  async close(): Promise<void> {
    this.#end.abort();
    try {
      await this.#endSubscription();
    } finally {
      await this.release();
    }
  }

  /** Stops receiving and lets others have the name of the receiver. */
  async release(): Promise<void> {
    this.#end.abort();
    try {
      await this.#plan.transport.close(this.#plan.drainMilliseconds ?? defaultDrain);
    } finally {
      this.#acquired.release();
      this.inbox.close();
    }
  }
}
