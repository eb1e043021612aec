import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import type { ClientFrame } from '../../../../contract/web-socket.ts';
import { timerOf } from '../../../../platform/time-limit.ts';
import { closeReason } from './close-reason.ts';
import { readFrame, type Frame } from './frame.ts';

export type Details = Extract<Frame, { kind: 'details' }>;
/** A notification, with the text of its envelope. */
export type Notified = Extract<Frame, { kind: 'notification' }>;
export type Response = Extract<Frame, { kind: 'response' }>;

/** The reason why a connection ended. */
export interface Ending {
  /** Phrase for messages, such as `the connection was lost`. */
  readonly reason: string;
  /** Error code of the service, such as `WSG-903`. */
  readonly code: string | undefined;
  /** Whether nothing arrived for too long. */
  readonly isSilent: boolean;
  /** Whether a frame was invalid by the WebSocket protocol or too large; the service may send it again. */
  readonly isProtocolError: boolean;
}

export interface ConnectionSettings {
  /** Waits; rejects when the signal aborts. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Called with the first frame of the service, before any later frame is read. */
  readonly onDetails: (details: Details) => void;
  /** Called for each message, ping and pong of the service. */
  readonly onAlive: () => void;
  /** Stores a notification. After a rejection the connection is closed, so that the service sends it again. */
  readonly onNotification: (notification: Notified) => Promise<void>;
  readonly onUnreadable: (reason: string) => void;
  /** Called once for each unknown type. */
  readonly onUnknownType: (type: string) => void;
  /** Called with an error of the service that belongs to no request. */
  readonly onServiceError: (error: Extract<Frame, { kind: 'error' }>) => void;
  /** Called after each interval of `tickMilliseconds` from the details on, while the connection is open. */
  readonly onTick: () => void;
  /** Milliseconds without a frame after which the connection is dead; by default `deadTicks`. */
  readonly handoverMilliseconds?: number | undefined;
}

/**
 * Milliseconds between two checks whether the connection is alive. Deadlines are multiples of this interval, so that
 * the clock does not matter.
 */
const tickMilliseconds = 15_000;
/** Ticks after which the client sends a heartbeat: twice as often as idle connections usually need. */
const heartbeatTicks = 4;
/** Ticks without a frame after which the client requests a sign of life. */
const silentTicks = 2;
/** Ticks without a frame after which the connection is dead. */
const deadTicks = 4;
/** Number of unanswered pings after which a connection with a handover is dead. */
const pingsBeforeHandover = 5;
const detailsMilliseconds = 20_000;
const requestMilliseconds = 30_000;
/** Maximum wait for the service when this side closes the connection. */
const closeMilliseconds = 1000;
/** Maximum number of notifications that wait to be stored. Above this number, no further notifications are read. */
const maxWaiting = 256;
/** Number of unreadable frames between two ticks, above which the connection is closed. */
const maxUnreadable = 20;

interface Waiter {
  resolve(response: Response): void;
  reject(error: Error): void;
}

/** The error for a connection that ended before the reply arrived. */
export class ConnectionEndedError extends Error {
  override readonly name = 'ConnectionEndedError';

  constructor({ reason }: Ending) {
    super(reason);
  }
}

/** One WebSocket connection to the service: frames, requests, heartbeats and the detection of a dead connection. */
export class Connection {
  /** Resolves with the first frame of the service; rejects with `ConnectionEndedError`. */
  readonly details: Promise<Details>;
  /** Resolves when the connection has ended. */
  readonly ended: Promise<Ending>;
  /** Number of complete ticks since the details. */
  age = 0;
  readonly #socket: WebSocket;
  readonly #settings: ConnectionSettings;
  readonly #end = new AbortController();
  readonly #waiters = new Map<string, Waiter>();
  readonly #unknownTypes = new Set<string>();
  #onDetails: (details: Details) => void = () => undefined;
  #onEnded: (ending: Ending) => void = () => undefined;
  #ending: Ending | undefined;
  #serviceCode: string | undefined;
  #hasDetails = false;
  #silent = 0;
  /** Number of unanswered pings. */
  #unanswered = 0;
  #waiting = 0;
  #unreadable = 0;

  constructor(socket: WebSocket, settings: ConnectionSettings) {
    this.#socket = socket;
    this.#settings = settings;
    this.ended = new Promise((resolve) => {
      this.#onEnded = resolve;
    });
    const first = new Promise<Details>((resolve) => {
      this.#onDetails = resolve;
    });
    this.details = Promise.race([
      first,
      this.ended.then((ending): Details => {
        throw new ConnectionEndedError(ending);
      }),
    ]);
    this.details.catch(() => undefined);
    socket.on('message', (data, isBinary) => this.#read(data, isBinary));
    socket.on('ping', () => this.#heard());
    socket.on('pong', () => this.#heard());
    socket.on('error', (error: Error & { readonly code?: string }) => {
      const isProtocolError = error.code?.startsWith('WS_ERR_') ?? false;
      this.#finish(isProtocolError ? `the service sent an invalid frame (${error.code})` : undefined, {
        isProtocolError,
      });
    });
    socket.on('close', (code, text) => {
      this.#serviceCode ??= /WSG-\d+/.exec(text.toString('latin1'))?.[0];
      this.#finish(closeReason(code, this.#serviceCode));
    });
    socket.resume();
    void this.#watchDetails(first);
    // The first interval begins with the details, because its end also ends the replay of missed events.
    void first.then(() => this.#watch());
    if (settings.handoverMilliseconds !== undefined)
      void this.#watchClosely(settings.handoverMilliseconds / pingsBeforeHandover);
  }

  /** Sends a request and returns the reply. @throws {ConnectionEndedError} */
  async request(method: string, path: string, body?: unknown): Promise<Response> {
    const messageId = randomUUID();
    const answer = new Promise<Response>((resolve, reject) => {
      this.#waiters.set(messageId, { resolve, reject });
    });
    answer.catch(() => undefined);
    const meta = { type: 'ClientRequest', messageId, method, path } as const;
    this.#send(body === undefined ? [meta] : [meta, body]);
    const cancel = timerOf(this.#settings.sleep)(requestMilliseconds, () =>
      this.#finish('the service did not reply to a request'),
    );
    try {
      return await Promise.race([
        answer,
        this.ended.then((ending): Response => {
          throw new ConnectionEndedError(ending);
        }),
      ]);
    } finally {
      this.#waiters.delete(messageId);
      cancel();
    }
  }

  /** Ends the connection because of a failure on this side. */
  fail(reason: string): void {
    this.#finish(reason);
  }

  /** Closes the connection. Resolves when it has ended. */
  async close(): Promise<void> {
    if (this.#ending) return;
    this.#socket.resume();
    this.#socket.close(1000);
    const limit = setTimeout(() => this.#finish('the connection was closed'), closeMilliseconds);
    await this.ended;
    clearTimeout(limit);
  }

  #send(frame: ClientFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame));
  }

  #heard(): void {
    this.#silent = 0;
    this.#unanswered = 0;
    this.#settings.onAlive();
  }

  #read(data: RawData, isBinary: boolean): void {
    if (this.#ending) return;
    this.#heard();
    if (isBinary) this.#rejectFrame('binary frame');
    else this.#take(readFrame(bytesOf(data).toString('utf8')));
  }

  #take(frame: Frame): void {
    if (frame.kind === 'details') this.#takeDetails(frame);
    else if (frame.kind === 'notification') this.#notify(frame);
    else if (frame.kind === 'response') this.#waiters.get(frame.messageId)?.resolve(frame);
    else if (frame.kind === 'unreadable') this.#rejectFrame(frame.reason);
    else if (frame.kind === 'error') this.#takeError(frame);
    else if (frame.kind === 'unknown') this.#takeUnknown(frame.type);
  }

  #takeDetails(details: Details): void {
    if (this.#hasDetails) return;
    this.#hasDetails = true;
    this.#settings.onDetails(details);
    this.#onDetails(details);
  }

  #takeError(error: Extract<Frame, { kind: 'error' }>): void {
    const waiter = error.messageId === undefined ? undefined : this.#waiters.get(error.messageId);
    if (waiter && error.messageId !== undefined) {
      const { messageId, status, code, message } = error;
      const body = { errorCode: code, message };
      waiter.resolve({ kind: 'response', messageId, status, retryAfter: undefined, body });
      return;
    }
    this.#serviceCode = error.code;
    this.#settings.onServiceError(error);
  }

  #takeUnknown(type: string): void {
    if (this.#unknownTypes.has(type) || this.#unknownTypes.size >= maxUnreadable) return;
    this.#unknownTypes.add(type);
    this.#settings.onUnknownType(type);
  }

  #rejectFrame(reason: string): void {
    this.#unreadable += 1;
    this.#settings.onUnreadable(reason);
    if (this.#unreadable > maxUnreadable)
      this.#finish('the service sent too many unreadable frames', { isProtocolError: true });
  }

  #notify(notification: Notified): void {
    this.#waiting += 1;
    if (this.#waiting >= maxWaiting) this.#socket.pause();
    this.#settings
      .onNotification(notification)
      .catch(() => this.#finish('ucctl could not store events'))
      .finally(() => {
        this.#waiting -= 1;
        if (this.#waiting < maxWaiting && this.#socket.isPaused) this.#socket.resume();
      });
  }

  /** Ends the connection once. Without a reason, the connection was lost. */
  #finish(reason = 'the connection was lost', how: Partial<Ending> = {}): void {
    if (this.#ending) return;
    this.#ending = { reason, code: this.#serviceCode, isSilent: false, isProtocolError: false, ...how };
    this.#end.abort();
    this.#socket.terminate();
    this.#waiters.clear();
    this.#onEnded(this.#ending);
  }

  async #watchDetails(first: Promise<Details>): Promise<void> {
    const { signal } = this.#end;
    const isLate = await Promise.race([
      first.then(() => false),
      this.#settings.sleep(detailsMilliseconds, signal).then(
        () => true,
        () => false,
      ),
    ]);
    if (isLate) this.#finish('the service sent no connection details');
  }

  /** Sends heartbeats, and ends the connection when nothing has arrived for `deadTicks`. */
  async #watch(): Promise<void> {
    while (await this.#waits(tickMilliseconds)) {
      this.age += 1;
      this.#silent += 1;
      this.#unreadable = 0;
      this.#settings.onTick();
      // While this side stores events, it reads no frames, so a silence does not mean that the connection
      // is dead.
      if (this.#socket.isPaused) this.#silent = 0;
      if (this.#silent >= deadTicks) return this.#endSilence();
      const isSilent = this.#silent >= silentTicks;
      if (isSilent) this.#ping();
      if (isSilent || this.age % heartbeatTicks === 0)
        this.#send([{ type: 'Heartbeat', messageId: randomUUID() }]);
    }
  }

  /** Pings in short intervals, and ends the connection when nothing arrives after several pings. */
  async #watchClosely(interval: number): Promise<void> {
    while (await this.#waits(interval)) {
      if (this.#socket.isPaused) this.#unanswered = 0;
      if (this.#unanswered >= pingsBeforeHandover) return this.#endSilence();
      this.#unanswered += 1;
      this.#ping();
    }
  }

  #endSilence(): void {
    this.#finish('the service does not reply', { isSilent: true });
  }

  /** Waits. @returns false when the connection has ended. */
  #waits(milliseconds: number): Promise<boolean> {
    const { signal } = this.#end;
    return this.#settings.sleep(milliseconds, signal).then(
      () => !signal.aborted,
      () => false,
    );
  }

  #ping(): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping();
  }
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}
