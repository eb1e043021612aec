import { setTimeout as delay } from 'node:timers/promises';
import type { WebSocketPosition } from '../../contract/web-socket.ts';
import type { World } from '../world/world.ts';
import { writeNotification } from './frames.ts';
import { firstPosition, type SocketMessageRow } from './message-store.ts';
import type { LiveConnection, LiveSession } from './registry.ts';

/**
 * Time between `ConnectionDetails` and the first event, in milliseconds. The vendor's client adds the listener of its
 * subscription only after it has processed `ConnectionDetails`, and loses events that arrive in the same turn. On a busy
 * machine, a turn can take tens of milliseconds, so missed events are sent later.
 */
const firstEventDelay = { ofMissed: 200, ofNew: 10 };

/** A session of a WebSocket, which has a connection or waits for the next connection, which recovers it. */
export class SocketSession implements LiveSession {
  readonly key: string;
  readonly owner: LiveSession['owner'];
  subscriptionId: string | undefined;
  readonly #world: World;
  #connection: LiveConnection | undefined;
  /** Position of the newest event that was sent on this connection or confirmed by its recovery token. */
  #sent = firstPosition;
  /** Position up to which events are older than the current connection, if it continues an earlier one. */
  #recoverable = 0;
  /** Whether events may be sent on the current connection. */
  #ready = false;
  #isSending = false;

  constructor(world: World, key: string, owner: LiveSession['owner']) {
    this.#world = world;
    this.key = key;
    this.owner = owner;
  }

  get connection(): LiveConnection | undefined {
    return this.#connection;
  }

  get deletable(): number {
    return this.#connection ? this.#sent : Number.MAX_SAFE_INTEGER;
  }

  /** Returns the recovery token of a position. */
  position(sequence = this.#sent): WebSocketPosition {
    return { token: `${this.key}.${sequence}`, sequence };
  }

  attach(connection: LiveConnection, sequence: number): void {
    const previous = this.#connection;
    this.#connection = connection;
    this.#ready = false;
    const oldest = this.#world.socketMessages.newest(this.key) - this.#world.settings.webSocketBufferEvents;
    this.#sent = Math.max(sequence, oldest);
    this.#recoverable = this.#world.socketMessages.newest(this.key);
    previous?.terminate();
  }

  start(connection: LiveConnection): void {
    const hasMissed = this.#recoverable > this.#sent;
    const timer = setTimeout(
      () => {
        if (this.#connection !== connection) return;
        this.#ready = true;
        this.send();
      },
      firstEventDelay[hasMissed ? 'ofMissed' : 'ofNew'],
    );
    timer.unref();
  }

  detach(connection: LiveConnection): boolean {
    if (this.#connection !== connection) return false;
    this.#connection = undefined;
    this.#ready = false;
    return true;
  }

  send(): void {
    if (!this.#ready || this.#isSending) return;
    this.#isSending = true;
    this.#sendAll().catch((error: unknown) => {
      this.#isSending = false;
      this.#world.noteFailure(error);
    });
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const rows = this.#ready ? this.#world.socketMessages.after(this.key, this.#sent) : [];
      if (rows.length === 0) {
        // There is no pause after the last read, because an event that is published during a pause would
        // wait for the next event.
        this.#isSending = false;
        return;
      }
      const sent: SocketMessageRow[] = [];
      for (const row of rows) {
        const connection = this.#connection;
        if (!connection?.isWritable || !this.#ready) {
          this.#isSending = false;
          this.#settle(sent);
          return;
        }
        // A fault may wait, and another connection may continue the session in the meantime.
        const isSent = await this.#sendOne(connection, row);
        if (!isSent || this.#connection !== connection) break;
        this.#sent = row.sequence;
        sent.push(row);
      }
      this.#settle(sent);
    }
  }

  /** Records the events that were sent. Events that an earlier connection missed are recovered. */
  #settle(sent: readonly SocketMessageRow[]): void {
    const world = this.#world;
    for (const state of ['recovered', 'delivered'] as const) {
      const ids = sent
        .filter(({ sequence }) => sequence <= this.#recoverable === (state === 'recovered'))
        .map(({ deliveryId }) => deliveryId);
      if (ids.length === 0) continue;
      world.commitInBackground(() => world.deliveries.settle(ids, state, world.clock.now()));
    }
  }

  /**
   * Sends one event with the faults in effect. Resolves when the connection can accept more frames.
   * @returns false if a fault ended the connection instead; the event stays for the recovery.
   */
  async #sendOne(connection: LiveConnection, row: SocketMessageRow): Promise<boolean> {
    const frame = this.#frameOf(row);
    let isSplit = false;
    let count = 1;
    for (const { kind, milliseconds } of this.#world.faults.onSocketEvent()) {
      if (kind === 'socket-delay') await delay(milliseconds ?? 1000, undefined, { ref: false });
      if (this.#connection !== connection) return false;
      if (kind === 'socket-split') isSplit = true;
      if (kind === 'socket-duplicate') count = 2;
      if (kind !== 'socket-drop' && kind !== 'socket-idle' && kind !== 'socket-absolute') continue;
      this.#ready = false;
      if (kind === 'socket-drop') connection.terminate();
      else connection.timeOut(kind === 'socket-idle' ? 'idle' : 'absolute');
      return false;
    }
    for (; count > 0; count -= 1) await (isSplit ? connection.sendSplit(frame) : connection.send(frame));
    return true;
  }

  #frameOf({ sequence, payload }: SocketMessageRow): string {
    const meta = {
      type: 'ServerNotification',
      messageId: `${this.key.slice(0, 8)}-${sequence}`,
      status: 200,
      headers: { 'content-type': 'application/json;charset=UTF-8' },
      wsc: this.position(sequence),
    };
    return writeNotification(meta, payload);
  }
}
