import type { Database } from '../../platform/sqlite.ts';
import { prepare } from './sql.ts';

interface StoredSubscription {
  readonly id: string;
  readonly clientId: string;
  /** Who created it. */
  readonly extensionId: number;
  readonly eventFilters: string;
  readonly transportType: string;
  readonly address: string;
  readonly verificationToken: string | null;
  /** Base64; null when notifications go out in clear. */
  readonly encryptionKey: string | null;
  readonly subscriberKey: string | null;
  readonly secretKey: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lifetimeSeconds: number;
  /** `expired` is kept, so that its use is answered with SUB-507. */
  readonly state: 'active' | 'expired';
}
export interface SubscriptionRow extends Omit<StoredSubscription, 'eventFilters'> {
  readonly eventFilters: readonly string[];
}
/** A subscription that watches a topic, with the filter that says so. */
export interface WatchRow {
  readonly subscriptionId: string;
  readonly filter: string;
}

export class SubscriptionStore {
  readonly #byId;
  readonly #ofUser;
  readonly #all;
  readonly #save;
  readonly #remove;
  readonly #watch;
  readonly #unwatch;
  readonly #watchers;

  constructor(db: Database) {
    this.#byId = prepare<StoredSubscription>(db, 'SELECT * FROM subscription WHERE id = ?');
    this.#ofUser = prepare<StoredSubscription>(
      db,
      "SELECT * FROM subscription WHERE extensionId = ? AND clientId = ? AND state = 'active' ORDER BY createdAt, id",
    );
    this.#all = prepare<StoredSubscription>(
      db,
      "SELECT * FROM subscription WHERE state = 'active' ORDER BY createdAt, id",
    );
    this.#save = prepare(
      db,
      'INSERT OR REPLACE INTO subscription VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    );
    this.#remove = prepare(db, 'DELETE FROM subscription WHERE id = ?');
    this.#watch = prepare(db, 'INSERT OR IGNORE INTO watch VALUES (?, ?, ?)');
    this.#unwatch = prepare(db, 'DELETE FROM watch WHERE subscriptionId = ?');
    this.#watchers = prepare<WatchRow>(db, 'SELECT subscriptionId, filter FROM watch WHERE topic = ?');
  }

  byId(id: string): SubscriptionRow | undefined {
    const row = this.#byId.get(id);
    return row && toSubscription(row);
  }

  ofUser(extensionId: number, clientId: string): readonly SubscriptionRow[] {
    return this.#ofUser.all(extensionId, clientId).map(toSubscription);
  }

  all(): readonly SubscriptionRow[] {
    return this.#all.all().map(toSubscription);
  }

  /** `topics` says which topic each filter watches. */
  save(row: SubscriptionRow, topics: ReadonlyMap<string, string>): void {
    this.#save.run(
      row.id,
      row.clientId,
      row.extensionId,
      JSON.stringify(row.eventFilters),
      row.transportType,
      row.address,
      row.verificationToken,
      row.encryptionKey,
      row.subscriberKey,
      row.secretKey,
      row.createdAt,
      row.expiresAt,
      row.lifetimeSeconds,
      row.state,
    );
    this.#unwatch.run(row.id);
    if (row.state !== 'active') return;
    for (const [filter, topic] of topics) this.#watch.run(topic, row.id, filter);
  }

  remove(id: string): void {
    this.#unwatch.run(id);
    this.#remove.run(id);
  }

  watchers(topic: string): readonly WatchRow[] {
    return this.#watchers.all(topic);
  }
}

function toSubscription(row: StoredSubscription): SubscriptionRow {
  return { ...row, eventFilters: JSON.parse(row.eventFilters) as string[] };
}
