import type { Client } from '../../client/index.ts';
import type { Subscription, SubscriptionRequest } from '../../contract/subscription.ts';
import type { Context } from '../../runtime/context.ts';
import { keysWith } from './notification/decrypt.ts';
import { KeyFinder } from './notification/key-finder.ts';
import type { Received } from './notification/notification.ts';
import { verificationTokenOf } from './receive/verification-token.ts';
import type { Inbox } from './store/inbox.ts';
import { openInbox } from './store/open-inbox.ts';
import { SubscriptionLifecycle } from './subscription/lifecycle.ts';
import { encryptionWarnings } from './subscription/filters-in-effect.ts';
import { abandonedReceivers, acquireReceiver, type AcquiredReceiver } from './subscription/receiver-name.ts';
import { RecordedSubscription } from './subscription/recorded-id.ts';
import type { LifecycleSettings, SessionSubscription } from './subscription/session-subscription.ts';
import type { Gap } from './subscription/renew.ts';
import type { Intake, KeyedIntake, EventTransport } from './subscription/transport.ts';

/** The inbox of a session, and the name under which it stores notifications. */
export interface SessionPlace {
  readonly inbox: Inbox;
  /** Name of the receiver, unique among running processes. */
  readonly receiver: string;
}

/** The subscription of a live session, and the callbacks for its events. */
export interface LiveSessionPlan {
  /** Opens the client. Called only when needed, because a session without a subscription may never need a client. */
  readonly api: () => Promise<Client>;
  /** Event filters of the subscription; undefined to receive for a subscription that another program creates. */
  readonly request: Pick<SubscriptionRequest, 'eventFilters'> | undefined;
  /** Whether to request encrypted notifications from the service. */
  readonly encryption?: boolean | undefined;
  readonly transport: EventTransport;
  /**
   * Name under which the subscription is recorded, so that the next run can delete the subscription of a killed run. If
   * several sessions run at the same time, a number is added to the name.
   */
  readonly receiver: string;
  /** Whether the subscription stays on the service when the session ends. */
  readonly keepSubscription?: boolean | undefined;
  /** Whether the user does not see the subscription, as in a board, so that only a failed deletion is reported. */
  readonly isHidden?: boolean | undefined;
  /** Maximum time in milliseconds for replies in progress when the session ends. */
  readonly drainMilliseconds?: number | undefined;
  /** Creates the intake of the notifications. Called before any notification can arrive. */
  readonly sink: (place: SessionPlace) => Intake;
  /** Called when the subscription exists, before the first gap can be reported. */
  readonly onSubscribed?: ((subscription: Subscription, place: SessionPlace) => Promise<void>) | undefined;
  /** Called with each state of the subscription that the service reports; any member may have changed. */
  readonly onUpdate?: ((subscription: Subscription) => Promise<void>) | undefined;
  /**
   * Called when events may have been missed: the subscription was lost, the machine slept, or the channel was
   * unreachable.
   */
  readonly onGap: (gap: Gap) => void;
  /** Called when no more notifications can arrive. */
  readonly onFailure: (error: Error) => void;
}

/** A receiver, its subscription and the renewal of the subscription, until the session is closed. */
export interface LiveSession extends SessionPlace {
  /** The subscription at its creation; undefined if another program creates it. */
  readonly subscription: Subscription | undefined;
  /** Address to which the service delivers. */
  readonly address: string;
  /** Keys of encrypted notifications, newest first. */
  readonly keys: () => readonly string[];
  /** Changes the event filters of the subscription. @throws the service's error. */
  watch(eventFilters: readonly string[]): Promise<void>;
  /** Stops receiving, and deletes the subscription unless `keepSubscription`. Also works after Ctrl-C. */
  close(): Promise<void>;
}

const defaultDrain = 1000;

/**
 * Starts the receiver, subscribes it, records the subscription and renews it until the session is closed. A lost
 * subscription is recreated. First deletes the recorded subscriptions of killed runs of this receiver. If the start
 * fails, all parts are closed again. @throws the errors of the transport or the service.
 */
export async function openLiveSession(ctx: Context, plan: LiveSessionPlan): Promise<LiveSession> {
  const inbox = openInbox(ctx, { claim: true });
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
  #lifecycle: SessionSubscription | undefined;
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
    await this.#lifecycle?.changeFilters(eventFilters);
  }

  async open(): Promise<void> {
    const { transport, request, sink, onFailure } = this.#plan;
    await transport.open(this.#intakeFor(sink(this)), onFailure);
    if (request) await this.#subscribe(request);
  }

  /**
   * Returns the intake of the transport. If the session did not create the subscription, the intake requests keys from
   * the service when it cannot decrypt a notification.
   */
  #intakeFor(sink: Intake): KeyedIntake {
    const { api, request, transport } = this.#plan;
    const intake: KeyedIntake = {
      accept: (received) => sink.accept(received),
      reject: (reason) => sink.reject(reason),
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
      sink.accept(received.notification ? received : await finder.decrypt(received));
    return { ...intake, accept };
  }

  async #subscribe(request: Pick<SubscriptionRequest, 'eventFilters'>): Promise<void> {
    const ctx = this.#ctx;
    const { encryption = false, transport, onUpdate, onGap, onSubscribed } = this.#plan;
    let keys: readonly string[] = [];
    this.#keys = () => keys;
    const settings: LifecycleSettings = {
      ctx,
      api: await this.#plan.api(),
      recorded: new RecordedSubscription(this.inbox, this.receiver),
      abandoned: () => abandonedReceivers(this.inbox, this.#plan.receiver),
      request: { ...request, deliveryMode: transport.deliveryMode(encryption, verificationTokenOf(ctx)) },
      onUpdate: async (subscription) => {
        keys = keysWith(keys, subscription);
        await this.#untilClosed(transport.follow(subscription));
        if (!this.#end.signal.aborted) await onUpdate?.(subscription);
      },
      onGap: (gap) => {
        transport.reconnect?.();
        onGap(gap);
      },
      onFailure: this.#plan.onFailure,
      isHidden: this.#plan.isHidden,
    };
    const lifecycle = transport.subscriptionFor?.(settings) ?? new SubscriptionLifecycle(settings);
    this.#lifecycle = lifecycle;
    const subscription = await lifecycle.begin().catch((error: unknown) => {
      throw transport.explained?.(error) ?? error;
    });
    this.#subscription = subscription;
    for (const warning of encryptionWarnings(encryption, subscription)) ctx.out.warn(warning);
    try {
      await onSubscribed?.(subscription, this);
      await transport.begin(subscription, (reason, from) => {
        const to = ctx.now();
        // The clock may have been set back.
        onGap({ from: Math.min(from, to), to, reason });
      });
    } catch (error) {
      await this.#endSubscription();
      throw error;
    }
    lifecycle.startRenewal();
  }

  /** Resolves earlier when the session is closed, because a channel that does not respond must not prevent the end. */
  async #untilClosed(work: Promise<void>): Promise<void> {
    const { signal } = this.#end;
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    signal.addEventListener('abort', closed);
    if (signal.aborted) closed();
    await Promise.race([work, isClosed]).finally(() => signal.removeEventListener('abort', closed));
  }

  async #endSubscription(): Promise<void> {
    await (this.#plan.keepSubscription ? this.#lifecycle?.detach() : this.#lifecycle?.delete());
  }

  async close(): Promise<void> {
    this.#end.abort();
    try {
      await this.#endSubscription();
    } finally {
      await this.release();
    }
  }

  /** Stops receiving and releases the name of the receiver. */
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
