import { webSocket } from '../../../../contract/limits.ts';
import type { Subscription } from '../../../../contract/subscription.ts';
import type { WebSocketPosition } from '../../../../contract/web-socket.ts';
import { messageOf } from '../../../../errors/command.ts';
import { limitTime, timerOf } from '../../../../platform/time-limit.ts';
import { deleteAbandoned } from '../../subscription/abandoned.ts';
import { FilterReport } from '../../subscription/filters-in-effect.ts';
import type { LifecycleSettings, SessionSubscription } from '../../subscription/session-subscription.ts';
import { AcknowledgedPosition } from './acknowledged-position.ts';
import { Backoff } from './backoff.ts';
import { Connection, ConnectionEndedError, type Details, type Ending, type Notified } from './connection.ts';
import { dial } from './dial.ts';
import { isFatal, isPermanent, normalEndings, retryAfterOf, startError } from './failures.ts';
import { LossDetector } from './loss-detector.ts';
import type { ContinuedSession, SocketState, WebSocketReceiverOptions } from './options.ts';
import { requestSubscription } from './request-subscription.ts';
import { socketAddress } from './socket-address.ts';

/** Connection attempts at the start, before the run ends with the error. */
const startAttempts = 3;
/**
 * Ticks after which a connection counts as stable. If a stable connection is lost, ucctl reconnects soon and
 * does not report the loss.
 */
const stableTicks = 4;
/** Unstable recoveries in a row, after which the session is not continued again. */
const maxRecoveries = 3;

/** Maximum number of different problems that are reported while there is no connection. */
const maxProblems = 5;

/** The functions with which a session handles notifications and unreadable frames. */
export interface SocketIntake {
  /** Resolves when the notification is stored; with false if it is not a notification. */
  accept(envelope: unknown, raw: string): Promise<boolean>;
  reject(reason: string): void;
}

/** The options of a session, with their defaults. */
type SessionOptions = WebSocketReceiverOptions & Required<Pick<WebSocketReceiverOptions, 'random'>>;

/**
 * One subscription through a WebSocket, and its connections. A lost connection is continued at the last position. If
 * the service cannot continue it, the subscription is recreated and a gap is reported. Such a subscription ends with
 * its connection: it is never managed over HTTP, and its ID is not recorded (SOCKET-5).
 */
export class SocketSession implements SessionSubscription {
  readonly #options: SessionOptions;
  readonly #settings: LifecycleSettings;
  readonly #intake: SocketIntake;
  readonly #stop = new AbortController();
  readonly #position = new AcknowledgedPosition();
  readonly #losses: LossDetector;
  readonly #backoff: Backoff;
  readonly #report: FilterReport;
  #eventFilters: readonly string[];
  /** Whether the filters were changed since the last subscription. */
  #isOutdated = false;
  #connection: Connection | undefined;
  #subscriptionId: string | undefined;
  /** Whether the session at the current position has a subscription. A session without one must not be continued. */
  #isSubscribed = false;
  /** Whether the first connection could not continue the session of an earlier process. */
  #hasMissed = false;
  #running: Promise<void> = Promise.resolve();
  /** Whether the connection delivered an event that was stored. */
  #hasProgress = false;
  #recoveries = 0;
  /** Problems reported since the last connection; each is reported once. */
  readonly #problems = new Set<string>();

  constructor(options: SessionOptions, settings: LifecycleSettings, intake: SocketIntake) {
    this.#options = options;
    this.#settings = settings;
    this.#intake = intake;
    this.#eventFilters = settings.request.eventFilters;
    this.#backoff = new Backoff(options.random);
    this.#report = new FilterReport(options.warn);
    const aliveAt = options.continues?.aliveAt ?? settings.ctx.now();
    this.#losses = new LossDetector((reason, from) => this.#reportGap(reason, from), aliveAt);
  }

  /** The session as another connection can continue it; undefined without a session, and while events may be lost. */
  get state(): SocketState | undefined {
    const isKnown = this.#isSubscribed && !this.#losses.isUndecided;
    const position = isKnown ? this.#position.current : undefined;
    return position && { position, aliveAt: this.#losses.completeUntil };
  }

  /** Connects, and subscribes unless the connection continues an earlier session. @throws the error of the last attempt. */
  async begin(): Promise<Subscription> {
    await deleteAbandoned(this.#settings);
    this.#settings.recorded.forget();
    const signal = AbortSignal.any([this.#settings.ctx.signal, this.#stop.signal]);
    const { continues } = this.#options;
    this.#position.reset(continues?.position);
    this.#isSubscribed = continues !== undefined;
    const start = async (): Promise<Subscription> => {
      const { connection, isContinued } = await this.#connect(signal);
      if (continues && isContinued) return this.#adopt(continues);
      this.#hasMissed = continues !== undefined;
      return this.#subscribe(connection);
    };
    for (;;) {
      try {
        const subscription = await this.#interruptible(start);
        this.#problems.clear();
        return subscription;
      } catch (error) {
        await this.#connection?.close();
        signal.throwIfAborted();
        if (error instanceof ConnectionEndedError) this.#position.reset(undefined);
        if (isPermanent(error) || this.#backoff.failures >= startAttempts - 1) throw startError(error);
        const least = retryAfterOf(error);
        if (least > 0) this.#announceRejection(error, least);
        await this.#options.sleep(this.#backoff.next(least), signal);
      }
    }
  }

  /**
   * Replaces the subscription of the connection. If there is no connection, the next connection gets the new filters.
   */
  async changeFilters(eventFilters: readonly string[]): Promise<void> {
    this.#eventFilters = [...eventFilters];
    this.#isOutdated = true;
    const connection = this.#connection;
    if (!connection) return;
    await this.#interruptible(() => this.#subscribe(connection)).catch((error: unknown) => {
      if (!(error instanceof ConnectionEndedError)) throw error;
    });
  }

  /** Ends the connection if the run is interrupted during the work, because the time limits of its requests then end. */
  async #interruptible<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#settings.ctx;
    const interrupt = (): void => this.#connection?.fail('interrupted');
    signal.addEventListener('abort', interrupt);
    try {
      return await work();
    } finally {
      signal.removeEventListener('abort', interrupt);
    }
  }

  startRenewal(): void {
    const { continues } = this.#options;
    if (continues && this.#hasMissed)
      this.#reportGap('the service could not continue the session', continues.aliveAt);
    this.#running = this.#run().catch((error: unknown) => {
      if (this.#stop.signal.aborted || this.#settings.ctx.signal.aborted) return;
      this.#settings.onFailure(error instanceof Error ? error : new Error(messageOf(error)));
    });
  }

  /** Loses the connection, so that another connection can continue the session (SOCKET-7), and ends all work. */
  async detach(): Promise<void> {
    this.#stop.abort();
    this.#connection?.fail('the session was handed over');
    await this.#running;
  }

  /** Closing the connection deletes the subscription. */
  async delete(): Promise<void> {
    await this.stop();
    if (this.#subscriptionId !== undefined && !this.#settings.isHidden)
      this.#options.note(`Subscription ${this.#subscriptionId} ended with its connection.`);
  }

  /** Closes the connection and ends all work. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#connection?.close();
    await this.#running;
  }

  /** Follows the connection until the session is stopped. Rejects when the connection can never be restored. */
  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (let connection = this.#connection; connection && !signal.aborted; connection = this.#connection) {
      const ending = await connection.ended;
      if (signal.aborted || this.#settings.ctx.signal.aborted) return;
      // Another process can continue at once.
      if (ending.isSilent && this.#options.handoverMilliseconds !== undefined)
        throw startError(new ConnectionEndedError(ending));
      this.#settle(connection, ending);
      await this.#restoreInTime(ending);
    }
  }

  /** Updates the retry state after a connection ended, and decides whether the next connection resumes the session. */
  #settle(connection: Connection, { reason, code, isProtocolError }: Ending): void {
    // The replay has not ended: if the missed events have not arrived, the next connection requests them again.
    this.#losses.endConnection();
    const isStable = connection.age >= stableTicks;
    if (isStable || this.#hasProgress) {
      this.#backoff.reset();
      this.#recoveries = 0;
    }
    this.#hasProgress = false;
    if (!isStable && (code === undefined || !normalEndings.has(code))) this.#announce(reason);
    // The service would send the same frame again.
    if (isProtocolError || this.#recoveries >= maxRecoveries) this.#position.reset(undefined);
  }

  /** @param least milliseconds that the service requested; 0 without such a request. */
  #announce(problem: string, least = 0): void {
    const when = least > 0 ? ` after ${Math.ceil(least / 1000)} s` : '';
    if (!this.#problems.has(problem) && this.#problems.size < maxProblems)
      this.#options.warn(`${problem}; connecting again${when}`);
    this.#problems.add(problem);
  }

  #announceRejection(error: unknown, least: number): void {
    this.#announce(`cannot open the WebSocket for live events: ${messageOf(error)}`, least);
  }

  /** Restores the connection, but with a handover only within its time. @throws if that is not possible. */
  async #restoreInTime(ending: Ending): Promise<void> {
    const { handoverMilliseconds, sleep } = this.#options;
    if (handoverMilliseconds === undefined) return this.#restore(ending.reason, this.#stop.signal);
    const limit = limitTime(this.#stop.signal, handoverMilliseconds, timerOf(sleep));
    try {
      await this.#restore(ending.reason, limit.signal);
    } catch (error) {
      throw limit.isOver() ? startError(new ConnectionEndedError(ending)) : error;
    } finally {
      limit.end();
    }
  }

  /** Retries until a connection succeeds. @throws if no attempt can ever succeed. */
  async #restore(reason: string, signal: AbortSignal): Promise<void> {
    const from = this.#losses.completeUntil;
    for (let least = 0; ;) {
      await this.#options.sleep(this.#backoff.next(least), signal);
      try {
        const { connection, isContinued } = await this.#connect(signal);
        if (!isContinued || this.#isOutdated) await this.#subscribe(connection);
        if (!isContinued) this.#reportGap(reason, from);
        if (this.#problems.size > 0) this.#options.note('Live events are working again.');
        this.#problems.clear();
        return;
      } catch (error) {
        await this.#connection?.close();
        signal.throwIfAborted();
        if (isFatal(error)) throw error;
        // The service may close the connection instead of reporting that the position is no longer known.
        if (error instanceof ConnectionEndedError) this.#position.reset(undefined);
        least = retryAfterOf(error);
        this.#announceRejection(error, least);
      }
    }
  }

  #reportGap(reason: string, from: number): void {
    const to = this.#settings.ctx.now();
    // The clock may have been set back.
    this.#settings.onGap({ from: Math.min(from, to), to, reason });
  }

  /** Opens a connection with a new token and waits for its details. A token is never used twice. */
  async #connect(signal: AbortSignal): Promise<{ connection: Connection; isContinued: boolean }> {
    const { route, timeoutMilliseconds, protect, sleep } = this.#options;
    const token = await this.#settings.api.subscriptions.webSocketToken({ signal });
    const continued = this.#isSubscribed ? this.#position.current : undefined;
    const url = socketAddress(token, continued);
    protect(url);
    const startTimer = timerOf(sleep);
    const socket = await dial({ url, route, signal, timeoutMilliseconds, startTimer });
    const isContinuedBy = ({ recoveryState }: Details): boolean =>
      continued !== undefined && recoveryState === 'Successful';
    const connection = new Connection(socket, {
      sleep: this.#options.sleep,
      onDetails: (details) => this.#begin(details, isContinuedBy(details) ? continued : undefined),
      onAlive: () => this.#losses.alive(this.#settings.ctx.now()),
      onNotification: (notification) => this.#store(notification),
      onUnreadable: (reason) => {
        this.#losses.unreadable();
        this.#intake.reject(reason);
      },
      onUnknownType: (type) => this.#options.warn(`ignored frames of the unknown type "${type}"`),
      onServiceError: ({ code, message }) => {
        if (!normalEndings.has(code)) this.#options.warn(`the service reported ${code}: ${message}`);
      },
      onTick: () => this.#endInterval(),
      handoverMilliseconds: this.#options.handoverMilliseconds,
    });
    this.#connection = connection;
    if (signal.aborted) connection.fail('interrupted');
    const details = await connection.details;
    return { connection, isContinued: isContinuedBy(details) };
  }

  /** Prepares for the notifications of a new connection. @param continued the position that it continues. */
  #begin(details: Details, continued: WebSocketPosition | undefined): void {
    if (!continued) {
      this.#losses.begin();
      this.#isSubscribed = false;
      return this.#position.reset(details.position);
    }
    this.#recoveries += 1;
    this.#position.resume(details.position);
    const capacity = details.recoveryBufferSize ?? webSocket.recoveryBufferSize;
    this.#losses.begin({ after: continued.sequence, capacity });
  }

  async #store({ envelope, raw, position }: Notified): Promise<void> {
    this.#losses.received(position?.sequence);
    const stored = this.#position.add(position);
    if (await this.#intake.accept(envelope, raw)) this.#hasProgress = true;
    else this.#losses.unreadable();
    stored();
  }

  /** Reports events that may have been lost since the last call, and ends the replay of missed events. */
  #endInterval(): void {
    this.#losses.endInterval();
    this.#position.endReplay();
  }

  async #subscribe(connection: Connection): Promise<Subscription> {
    const eventFilters = this.#eventFilters;
    const request = { ...this.#settings.request, eventFilters: [...eventFilters] };
    const subscription = await requestSubscription(connection, request);
    this.#subscriptionId = subscription.id;
    this.#isSubscribed = true;
    if (eventFilters === this.#eventFilters) this.#isOutdated = false;
    this.#report.report(eventFilters, subscription);
    await this.#settings.onUpdate(subscription);
    return subscription;
  }

  /** Takes over the subscription of the session that the connection continues. */
  async #adopt({ subscription }: ContinuedSession): Promise<Subscription> {
    this.#subscriptionId = subscription.id;
    await this.#settings.onUpdate(subscription);
    return subscription;
  }
}
