import { transaction, type Database } from '../../../platform/sqlite.ts';
import type { Received } from '../notification/notification.ts';
import type { Origin } from './stored-event.ts';

interface Waiting {
  readonly receiver: string;
  readonly received: Received;
  readonly origin: Origin;
  readonly receivedAt: number | undefined;
  readonly resolve: (result: 'new' | 'duplicate') => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps notifications on disk. What comes in one turn of the event loop shares one commit: the slower the disk, the more. */
export class GroupCommit {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #onCommit: () => void;
  readonly #insert;
  readonly #waiting: Waiting[] = [];

  /** @param onCommit told after each commit, also one that failed. */
  constructor(db: Database, now: () => number, onCommit: () => void) {
    this.#db = db;
    this.#now = now;
    this.#onCommit = onCommit;
    this.#insert = db.prepare(
      'INSERT INTO event (receiver, key, receivedAt, origin, sealed, raw) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    );
  }

  /** Whether anything waits to be committed. */
  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Resolves when the notification is on disk. Rejects when the disk does not take it.
   * @param receivedAt when it came; the moment of the commit by default.
   */
  add(
    received: Received,
    receiver: string,
    origin: Origin,
    receivedAt?: number,
  ): Promise<'new' | 'duplicate'> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ receiver, received, origin, receivedAt, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => this.commit());
    });
  }

  /** Commits what waits, at once. */
  commit(): void {
    const group = this.#waiting.splice(0);
    if (group.length === 0) return;
    try {
      const added = transaction(this.#db, () => group.map((one) => this.#keep(one)));
      for (const [index, one] of group.entries()) one.resolve(added[index] ? 'new' : 'duplicate');
    } catch (error) {
      for (const one of group) one.reject(error);
    }
    this.#onCommit();
  }

  #keep({ receiver, received, origin, receivedAt = this.#now() }: Waiting): boolean {
    const { key, raw, notification } = received;
    return this.#insert.run(receiver, key, receivedAt, origin, notification ? 0 : 1, raw).changes > 0;
  }
}
