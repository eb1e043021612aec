import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

export interface ChannelMessageRow {
  readonly id: number;
  readonly channel: string;
  /** The notification as JSON, or a JSON string with base64 if it is encrypted. */
  readonly payload: string;
  /** The record of the delivery. */
  readonly deliveryId: number;
}

/** Number of messages that a channel retains for clients that connect later. */
export const retained = 100;

/** Notifications of the hosted channel, in the order in which they were published. */
export class ChannelStore {
  readonly #add;
  readonly #trim;
  readonly #after;
  readonly #last;
  readonly #drop;
  readonly #waiting = new Set<() => void>();
  #added = 0;
  #announced = 0;
  #closed = false;

  constructor(db: Database) {
    this.#add = prepareInsert(db, 'channelMessage', ['channel', 'payload', 'deliveryId']);
    this.#trim = prepare<Pick<ChannelMessageRow, 'deliveryId'>>(
      db,
      `DELETE FROM channelMessage WHERE channel = :channel AND id <=
         (SELECT id FROM channelMessage WHERE channel = :channel ORDER BY id DESC LIMIT 1 OFFSET ${retained})
       RETURNING deliveryId`,
    );
    this.#after = prepare<ChannelMessageRow>(
      db,
      `SELECT * FROM channelMessage WHERE channel IN (SELECT value FROM json_each(:channels)) AND id > :id ORDER BY id LIMIT ${retained}`,
    );
    this.#last = prepare<{ seq: number }>(
      db,
      "SELECT seq FROM sqlite_sequence WHERE name = 'channelMessage'",
    );
    this.#drop = prepare(db, 'DELETE FROM channelMessage WHERE channel = :channel');
  }

  /** @returns the deliveries of the messages that the channel no longer retains. */
  add(channel: string, payload: string, deliveryId: number): readonly number[] {
    this.#add.run({ channel, payload, deliveryId });
    this.#added += 1;
    return this.#trim.all({ channel }).map((row) => row.deliveryId);
  }

  after(channels: readonly string[], id: number): readonly ChannelMessageRow[] {
    return this.#after.all({ channels: JSON.stringify(channels), id });
  }

  /** Returns the newest ID of any channel. */
  last(): number {
    return this.#last.get()?.seq ?? 0;
  }

  /** Deletes the messages of a subscription that ended. */
  drop(channel: string): void {
    this.#drop.run({ channel });
  }

  /** Resolves at the next message of any channel, or after `milliseconds`. */
  next(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, milliseconds);
      timer.unref();
      this.#waiting.add(done);
    });
  }

  /** Wakes waiting clients if messages were published. Called after every commit. */
  wake(): void {
    if (this.#announced === this.#added) return;
    this.#announced = this.#added;
    for (const done of this.#waiting) done();
  }

  /** Whether the sandbox is stopping; clients must no longer wait. */
  get isClosed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#closed = true;
    for (const done of this.#waiting) done();
  }
}
