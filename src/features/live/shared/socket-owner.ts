import type { Subscription } from '../../../contract/subscription.ts';
import { ConnectionError } from '../../../errors/service.ts';
import { limitTime, timerOf } from '../../../platform/time-limit.ts';
import { NotOwnerError } from '../log/not-owner.ts';
import { Gaps, missedPeriod, repeatRecovery } from '../recover/gaps.ts';
import type { WebSocketReceiver } from '../receive/web-socket/receiver.ts';
import { openLiveSession, type LiveSession } from '../session.ts';
import type { KeyedIntake } from '../subscription/transport.ts';
import type { ContinuedSession } from '../receive/web-socket/options.ts';
import { OwnerRecord } from './owner-record.ts';
import type { OwnerSettings, OwnerTurn, SharedReceiving } from './receiving.ts';
import { Recoveries } from './recoveries.ts';
import { deleteIfKnown } from './shared-subscription.ts';
import { storedSession, storeSession, type StoredSession } from './socket-table.ts';

/** Milliseconds between two entries of the session in the store. */
const storeMilliseconds = 1000;
/** Milliseconds in which a new owner must be connected. A busy service may need several seconds for each request. */
const startMilliseconds = 20_000;
/** Milliseconds to wait for the missed events of a continued session, before missed messages are recovered. */
const replayMilliseconds = 2000;

/** The WebSocket of a shared receiver. */
export interface SocketPlan {
  /** Origin of the service. */
  readonly service: string;
  /** Creates the transport of an owner, which continues the session of the last owner if there is one. */
  readonly transport: (continues: ContinuedSession | undefined) => Promise<WebSocketReceiver>;
}

/** Receives events in the owner only, through a WebSocket. The other processes have no connection to the service. */
export function socketReceiving(plan: SocketPlan): SharedReceiving {
  let intake: KeyedIntake | undefined;
  return {
    origin: 'websocket',
    url: undefined,
    address: '',
    isExclusive: true,
    open: (given) => {
      intake = given;
      return Promise.resolve();
    },
    async own(settings, fence, turn) {
      if (!intake) return;
      const record = new OwnerRecord(settings.db, settings.receiver, fence);
      const ended = new AbortController();
      const signal = AbortSignal.any([settings.signal, ended.signal]);
      const ownership = { settings: { ...settings, signal }, fence, record, end: () => ended.abort() };
      const duties = new SocketDuties(plan, ownership, intake);
      await record.while([settings.signal, settings.ctx.signal], () => duties.fulfill(turn));
    },
    close: () => Promise.resolve(),
  };
}

/** One ownership of a receiver. */
interface Ownership {
  readonly settings: OwnerSettings;
  readonly fence: number;
  readonly record: OwnerRecord;
  /** Ends the requests of recoveries, which would delay the next owner. */
  readonly end: () => void;
}

/**
 * The duties of the owner: open the WebSocket, continue the session of the last owner or subscribe, store the position
 * of the session, and recover missed events, until the signal aborts.
 */
class SocketDuties {
  readonly #plan: SocketPlan;
  readonly #ownership: Ownership;
  readonly #intake: KeyedIntake;
  /** Aborts with the error when the duties cannot continue. */
  readonly #failed = new AbortController();
  /** Aborts when the duties end. */
  readonly #ends: AbortSignal;
  #subscription: Subscription | undefined;
  #gaps: Gaps | undefined;
  /** Until they have ended, the next owner must continue at the position before the gap. */
  readonly #recoveries: Recoveries;
  #stored = '';

  constructor(plan: SocketPlan, ownership: Ownership, intake: KeyedIntake) {
    this.#plan = plan;
    this.#ownership = ownership;
    this.#intake = intake;
    this.#recoveries = new Recoveries(ownership.record);
    this.#ends = AbortSignal.any([ownership.settings.signal, this.#failed.signal]);
  }

  async fulfill(turn: OwnerTurn): Promise<void> {
    const { db, receiver, api, signal } = this.#ownership.settings;
    const continues = this.#continued(await storedSession(db, receiver));
    // A subscription of the receiver from the time before it used a WebSocket.
    if (turn.replaces && turn.subscriptionId !== undefined)
      await deleteIfKnown(api, turn.subscriptionId, signal);
    const transport = await this.#plan.transport(continues);
    signal.throwIfAborted();
    let session: LiveSession | undefined;
    try {
      session = await this.#connectInTime(transport, continues);
      const isContinued = session.subscription?.id === continues?.subscription.id;
      if (isContinued && turn.recovers) this.#recover(() => this.#sleep(replayMilliseconds));
      if (!continues) this.#recover();
      await this.#keep(transport);
    } finally {
      this.#ownership.end();
      await session?.close();
      await this.#recoveries.settled();
      await this.#store(transport).catch(() => undefined);
    }
  }

  /** Returns the session of the last owner, if it has the same events and the same service. */
  #continued(stored: StoredSession | undefined): ContinuedSession | undefined {
    const { eventFilters } = this.#ownership.settings;
    const isSame =
      stored?.service === this.#plan.service &&
      JSON.stringify(stored.requested.toSorted()) === JSON.stringify(eventFilters.toSorted());
    return isSame ? stored : undefined;
  }

  /** Connects. @throws if a process that was on standby needs so long that another process should try. */
  async #connectInTime(
    transport: WebSocketReceiver,
    continues: ContinuedSession | undefined,
  ): Promise<LiveSession> {
    const { ctx, signal, wasReady } = this.#ownership.settings;
    const ownTimer = timerOf((milliseconds, canceled) => ctx.sleep(milliseconds, canceled));
    const limit = limitTime(signal, startMilliseconds, wasReady ? ownTimer : () => () => undefined);
    const stop = (): void => void transport.close();
    limit.signal.addEventListener('abort', stop);
    try {
      return await this.#connect(transport, continues);
    } catch (error) {
      throw limit.isOver() ? new ConnectionError('TIMEOUT', 'no', this.#plan.service, error) : error;
    } finally {
      limit.end();
      limit.signal.removeEventListener('abort', stop);
    }
  }

  #connect(transport: WebSocketReceiver, continues: ContinuedSession | undefined): Promise<LiveSession> {
    const { ctx, api, receiver, eventFilters, recovery, signal, onReady } = this.#ownership.settings;
    return openLiveSession(ctx, {
      api: () => Promise.resolve(api),
      request: { eventFilters: [...eventFilters] },
      transport,
      receiver: `shared.${receiver}`,
      keepSubscription: true,
      sink: () => ({
        accept: async (received) => {
          // The next owner gets the events that this process has not stored.
          signal.throwIfAborted();
          try {
            return await this.#intake.accept(received);
          } catch (error) {
            this.#end(error);
            throw error;
          }
        },
        reject: (reason) => this.#intake.reject(reason),
      }),
      onSubscribed: async (subscription) => {
        const isNew = subscription.id !== continues?.subscription.id;
        await this.#ownership.record.report({
          subscriptionId: subscription.id,
          problem: null,
          ...(isNew && { recovers: true }),
        });
        this.#gaps = new Gaps(ctx, subscription.eventFilters, {
          store: recovery,
          api,
          signal,
          now: () => ctx.now(),
        });
        onReady(subscription);
      },
      onUpdate: (subscription) => {
        this.#follow(subscription);
        return Promise.resolve();
      },
      onGap: (gap) => this.#recover(async () => (await this.#gaps?.fillNow(gap)) ?? false),
      onFailure: (error) => this.#fail(error),
    });
  }

  /** Records each later subscription of the connection. */
  #follow(subscription: Subscription): void {
    const isFirst = this.#subscription === undefined;
    this.#subscription = subscription;
    if (isFirst) return;
    const { record } = this.#ownership;
    record.report({ subscriptionId: subscription.id, problem: null }).catch((error: unknown) => {
      this.#end(error);
    });
  }

  /**
   * Recovers missed messages in the background, after the preparation, and repeats this until it succeeds.
   * @param prepare returns false if it failed.
   */
  #recover(prepare?: () => Promise<boolean | void>): void {
    const recover = (): Promise<boolean> =>
      this.#recoveries.start(async () => {
        if ((await prepare?.()) === false) return false;
        return (await this.#gaps?.catchUp(true, missedPeriod(this.#ownership.settings.wasReady))) ?? false;
      });
    // Each attempt continues at the position before the gap.
    recover()
      .then((isDone) => (isDone ? undefined : repeatRecovery(recover, (time) => this.#sleep(time))))
      .catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#failed.abort(error);
  }

  /** Ends the duties if another process is the owner. A failure of the store ends them with the lease. */
  #end(error: unknown): void {
    if (error instanceof NotOwnerError) this.#fail(error);
  }

  /** Stores the position of the session again and again. @throws when the duties end. */
  async #keep(transport: WebSocketReceiver): Promise<never> {
    for (;;) {
      await this.#store(transport).catch((error: unknown) => this.#end(error));
      await this.#sleep(storeMilliseconds, this.#ends);
    }
  }

  async #store(transport: WebSocketReceiver): Promise<void> {
    const { fence, settings } = this.#ownership;
    const { state } = transport;
    if (!state || !this.#subscription || this.#recoveries.areOpen) return;
    const session: StoredSession = {
      ...state,
      subscription: this.#subscription,
      requested: settings.eventFilters,
      service: this.#plan.service,
    };
    const text = JSON.stringify(session);
    if (text === this.#stored) return;
    if (!(await storeSession(settings.db, settings.receiver, fence, session))) throw new NotOwnerError();
    this.#stored = text;
  }

  /** Waits. @throws the reason of the signal when it aborts. */
  async #sleep(milliseconds: number, signal = this.#ownership.settings.signal): Promise<void> {
    try {
      await this.#ownership.settings.ctx.sleep(milliseconds, signal);
    } finally {
      signal.throwIfAborted();
    }
  }
}
