import { dayMilliseconds } from '../../../platform/day.ts';
import { transaction, type Database } from '../../../platform/sqlite.ts';
import { insertRow } from '../../../platform/named-statement.ts';

/** Milliseconds for which a created ID is recorded, longer than any creation takes. */
const createdMilliseconds = dayMilliseconds;

/**
 * IDs of the subscriptions that receivers created, and the addresses of those whose reply has not arrived, so that the
 * next run can delete the subscription of a killed run. The database tables have the names `held` and `requested`. The
 * table `created` contains the subscriptions and chat webhooks that no run deletes.
 */
export class RecordedIds {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  of(receiver: string): string | undefined {
    const row = this.#db.prepare('SELECT subscriptionId FROM held WHERE receiver = ?').get(receiver);
    return (row as { subscriptionId: string } | undefined)?.subscriptionId;
  }

  set(receiver: string, subscriptionId: string): void {
    const conflict = 'ON CONFLICT DO UPDATE SET subscriptionId = excluded.subscriptionId';
    transaction(this.#db, () => {
      insertRow(this.#db, 'held', { receiver, subscriptionId }, conflict);
      this.#forgetAddress(receiver);
    });
  }

  /** Records the ID of a subscription or chat webhook that no run deletes, and deletes old records of this kind. */
  addCreated(id: string, now: number): void {
    transaction(this.#db, () => {
      // Later times come from a clock that was ahead.
      this.#db.prepare('DELETE FROM created WHERE abs(createdAt - ?) > ?').run(now, createdMilliseconds);
      insertRow(this.#db, 'created', { id, createdAt: now }, 'ON CONFLICT DO NOTHING');
    });
  }

  /**
   * Whether a run has recorded the ID of a subscription or chat webhook, or the address of a subscription.
   * @param except a receiver whose records do not count
   */
  isRecorded(id: string, address: string | undefined, except = ''): boolean {
    const row = this.#db
      .prepare(
        `SELECT 1 FROM created WHERE id = ?
         UNION ALL SELECT 1 FROM held WHERE subscriptionId = ? AND receiver <> ?
         UNION ALL SELECT 1 FROM requested WHERE address = ? AND receiver <> ?`,
      )
      .get(id, id, except, address ?? '', except);
    return row !== undefined;
  }

  /** Returns the address of the subscription that was requested, and whose ID is not recorded. */
  addressOf(receiver: string): string | undefined {
    const row = this.#db.prepare('SELECT address FROM requested WHERE receiver = ?').get(receiver);
    return (row as { address: string } | undefined)?.address;
  }

  /** Records the address of a subscription before its request. */
  setAddress(receiver: string, address: string): void {
    const conflict = 'ON CONFLICT DO UPDATE SET address = excluded.address';
    insertRow(this.#db, 'requested', { receiver, address }, conflict);
  }

  forget(receiver: string): void {
    transaction(this.#db, () => {
      this.#forgetId(receiver);
      this.#forgetAddress(receiver);
    });
  }

  /**
   * Forgets the ID of a receiver's subscription if another run has also recorded it. One transaction, so that two runs that end
   * at the same time do not both forget it.
   * @returns whether the subscription is that of another run
   */
  forgetIfShared(receiver: string, subscriptionId: string): boolean {
    return transaction(this.#db, () => {
      if (!this.isRecorded(subscriptionId, undefined, receiver)) return false;
      this.#forgetId(receiver);
      return true;
    });
  }

  #forgetId(receiver: string): void {
    this.#db.prepare('DELETE FROM held WHERE receiver = ?').run(receiver);
  }

  #forgetAddress(receiver: string): void {
    this.#db.prepare('DELETE FROM requested WHERE receiver = ?').run(receiver);
  }

  /** Returns the names of the receivers that have recorded a subscription or an address. */
  receivers(): readonly string[] {
    const rows = this.#db
      .prepare('SELECT receiver FROM held UNION SELECT receiver FROM requested ORDER BY receiver')
      .all();
    return (rows as { receiver: string }[]).map(({ receiver }) => receiver);
  }
}
