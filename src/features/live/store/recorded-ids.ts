import type { Database } from '../../../platform/sqlite.ts';
import { insertRow } from '../../../platform/named-statement.ts';

/**
 * IDs of the subscriptions that receivers created, so that the next run can delete the subscription of a killed run.
 * The database table has the name `held`.
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
    insertRow(this.#db, 'held', { receiver, subscriptionId }, conflict);
  }

  forget(receiver: string): void {
    this.#db.prepare('DELETE FROM held WHERE receiver = ?').run(receiver);
  }

  /** Returns the names of the receivers that have recorded a subscription. */
  receivers(): readonly string[] {
    const rows = this.#db.prepare('SELECT receiver FROM held ORDER BY receiver').all();
    return (rows as { receiver: string }[]).map(({ receiver }) => receiver);
  }
}
