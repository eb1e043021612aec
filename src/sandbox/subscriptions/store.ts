import type { Database } from '../../platform/sqlite.ts';
import { prepare, prepareInsert } from '../world/sql.ts';

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
  readonly status: 'Active' | 'Suspended' | 'Blacklisted';
  /** Since when its webhook has not answered as it should; null while it does. */
  readonly failingSince: number | null;
  readonly blacklistedAt: number | null;
  readonly blacklistReason: string | null;
  readonly disabledFilters: string;
}
/** A filter that is not delivered any more, because its data may no longer be read. */
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
/** A subscription that watches a topic, with the filter that says so. */
export interface WatchRow {
  readonly subscriptionId: string;
  readonly filter: string;
}

/** The subscriptions, and the topics that they watch. */
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

  /** How many a user and app have. */
  count(extensionId: number, clientId: string): number {
    return this.#count.get({ extensionId, clientId })?.n ?? 0;
  }

  all(): readonly SubscriptionRow[] {
    return this.#all.all().map(toSubscription);
  }

  /** `topics` says which topic each filter watches. */
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

  /** How its webhook does. */
  saveHealth(row: HealthOf): void {
    this.#health.run(row);
  }

  byChannel(address: string): SubscriptionRow | undefined {
    const row = this.#byChannel.get({ address });
    return row && toSubscription(row);
  }

  /** Whether anyone watches a topic that starts so. */
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
