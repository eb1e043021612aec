import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

interface StoredSubscription {
  readonly id: string;
  readonly clientId: string;
  /** The extension that created the subscription. */
  readonly extensionId: number;
  readonly eventFilters: string;
  readonly transportType: string;
  readonly address: string;
  readonly verificationToken: string | null;
  /** The encryption key in base64; null for unencrypted notifications. */
  readonly encryptionKey: string | null;
  readonly subscriberKey: string | null;
  readonly secretKey: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lifetimeSeconds: number;
  /** Rows with the status `expired` are retained, so that requests for them get SUB-507. */
  readonly state: 'active' | 'expired';
  readonly status: 'Active' | 'Suspended' | 'Blacklisted';
  /** Time at which the webhook began to fail; null while deliveries succeed. */
  readonly failingSince: number | null;
  readonly blacklistedAt: number | null;
  readonly blacklistReason: string | null;
  readonly disabledFilters: string;
}
/** Whether the filter gets no notifications, because the user may no longer read its data. */
export interface DisabledFilter {
  readonly filter: string;
  readonly reason: string;
  readonly message: string;
}
export interface SubscriptionRow extends Omit<StoredSubscription, 'eventFilters' | 'disabledFilters'> {
  readonly eventFilters: readonly string[];
  readonly disabledFilters: readonly DisabledFilter[];
}
type HealthOf = Pick<SubscriptionRow, 'id' | 'status' | 'failingSince' | 'blacklistedAt' | 'blacklistReason'>;
/** A subscription to a topic, with its filter. */
export interface WatchRow {
  readonly subscriptionId: string;
  readonly filter: string;
}

/** The subscriptions and their topics. */
export class SubscriptionStore {
  readonly #byId;
  readonly #ofUser;
  readonly #all;
  readonly #count;
  readonly #save;
  readonly #remove;
  readonly #health;
  readonly #byChannel;
  readonly #kind;
  readonly #watch;
  readonly #unwatch;
  readonly #watchers;

  constructor(db: Database) {
    this.#byId = prepare<StoredSubscription>(db, 'SELECT * FROM subscription WHERE id = :id');
    this.#ofUser = prepare<StoredSubscription>(
      db,
      "SELECT * FROM subscription WHERE extensionId = :extensionId AND clientId = :clientId AND state = 'active' ORDER BY createdAt, id",
    );
    this.#count = prepare<{ n: number }>(
      db,
      "SELECT count(*) AS n FROM subscription WHERE extensionId = :extensionId AND clientId = :clientId AND state = 'active'",
    );
    this.#all = prepare<StoredSubscription>(
      db,
      "SELECT * FROM subscription WHERE state = 'active' ORDER BY createdAt, id",
    );
    this.#save = prepareInsert<StoredSubscription>(
      db,
      'subscription',
      [
        'id',
        'clientId',
        'extensionId',
        'eventFilters',
        'transportType',
        'address',
        'verificationToken',
        'encryptionKey',
        'subscriberKey',
        'secretKey',
        'createdAt',
        'expiresAt',
        'lifetimeSeconds',
        'state',
        'status',
        'failingSince',
        'blacklistedAt',
        'blacklistReason',
        'disabledFilters',
      ],
      'REPLACE',
    );
    this.#remove = prepare(db, 'DELETE FROM subscription WHERE id = :id');
    this.#health = prepare<never, HealthOf>(
      db,
      'UPDATE subscription SET status = :status, failingSince = :failingSince, blacklistedAt = :blacklistedAt, blacklistReason = :blacklistReason WHERE id = :id',
    );
    this.#byChannel = prepare<StoredSubscription>(
      db,
      "SELECT * FROM subscription WHERE address = :address AND transportType <> 'WebHook'",
    );
    this.#kind = prepare<{ n: number }>(
      db,
      'SELECT 1 AS n FROM watch WHERE topic >= :first AND topic < :end LIMIT 1',
    );
    this.#watch = prepareInsert(db, 'watch', ['topic', 'subscriptionId', 'filter'], 'IGNORE');
    this.#unwatch = prepare(db, 'DELETE FROM watch WHERE subscriptionId = :subscriptionId');
    this.#watchers = prepare<WatchRow>(db, 'SELECT subscriptionId, filter FROM watch WHERE topic = :topic');
  }

  byId(id: string): SubscriptionRow | undefined {
    const row = this.#byId.get({ id });
    return row && toSubscription(row);
  }

  ofUser(extensionId: number, clientId: string): readonly SubscriptionRow[] {
    return this.#ofUser.all({ extensionId, clientId }).map(toSubscription);
  }

  /** Returns the number of subscriptions of a user and app. */
  count(extensionId: number, clientId: string): number {
    return this.#count.get({ extensionId, clientId })?.n ?? 0;
  }

  all(): readonly SubscriptionRow[] {
    return this.#all.all().map(toSubscription);
  }

  /** `topics` contains the topic of each filter. */
  save(row: SubscriptionRow, topics: ReadonlyMap<string, string>): void {
    this.#save.run({
      ...row,
      eventFilters: JSON.stringify(row.eventFilters),
      disabledFilters: JSON.stringify(row.disabledFilters),
    });
    this.#unwatch.run({ subscriptionId: row.id });
    if (row.state !== 'active') return;
    for (const [filter, topic] of topics) this.#watch.run({ topic, subscriptionId: row.id, filter });
  }

  /** Updates the status of the webhook. */
  saveHealth(row: HealthOf): void {
    this.#health.run(row);
  }

  byChannel(address: string): SubscriptionRow | undefined {
    const row = this.#byChannel.get({ address });
    return row && toSubscription(row);
  }

  /** Whether a subscription has a topic with this prefix. */
  watchesKind(kind: string): boolean {
    return this.#kind.get({ first: `${kind}:`, end: `${kind};` }) !== undefined;
  }

  remove(id: string): void {
    this.#unwatch.run({ subscriptionId: id });
    this.#remove.run({ id });
  }

  watchers(topic: string): readonly WatchRow[] {
    return this.#watchers.all({ topic });
  }
}

function toSubscription(row: StoredSubscription): SubscriptionRow {
  return {
    ...row,
    eventFilters: JSON.parse(row.eventFilters) as string[],
    disabledFilters: JSON.parse(row.disabledFilters) as DisabledFilter[],
  };
}
