import type { Database } from '../../../platform/sqlite.ts';

/** Ids of the subscriptions that receivers created, so that the next run can delete what a killed one left. The table is called `held`. */
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
    this.#db
      .prepare(
        'INSERT INTO held VALUES (?, ?) ON CONFLICT DO UPDATE SET subscriptionId = excluded.subscriptionId',
      )
      .run(receiver, subscriptionId);
  }

  forget(receiver: string): void {
    this.#db.prepare('DELETE FROM held WHERE receiver = ?').run(receiver);
  }

  /** Names of the receivers that have recorded a subscription. */
  receivers(): readonly string[] {
    const rows = this.#db.prepare('SELECT receiver FROM held ORDER BY receiver').all();
    return (rows as { receiver: string }[]).map(({ receiver }) => receiver);
  }
}
