import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type {
  AddedEvent,
  ClaimedEvent,
  ClaimOptions,
  ConsumerStart,
  ConsumerStatus,
  DeadEvent,
  LoggedEvent,
  LogPosition,
} from '../../../store/event-log.ts';
import type { EventChange } from './append-statements.ts';
import { GroupAppend } from './group-append.ts';
import { UnknownConsumerError } from './unknown-consumer.ts';

/** Number of events that a consumer takes from the log per step. */
const takeBatch = 1000;
const eventColumns = `event.id, event.tx::text || '-' || event.id as position, event.receiver, event.key, event.lane,
  (extract(epoch from event.received_at) * 1000)::bigint as "receivedAt", event.origin, event.encrypted, event.raw`;

/**
 * Only events of transactions that are older than every running transaction, because their order is final. A cursor
 * based only on the ID would miss events of transactions that commit later.
 */
const isFinal = 'event.tx < pg_snapshot_xmin(pg_current_snapshot())';

/**
 * Interval for which no event waits for a retry or for the end of a lease. A later time comes from a clock that was ahead, and
 * the event is due now. Otherwise, its extension would wait until this time.
 */
const longestWait = 'make_interval(secs => 660)';

/** Whether a delivery is leased. */
const isLeased = (delivery: string): string =>
  `(${delivery}.lease_until > store_now() and ${delivery}.lease_until <= store_now() + ${longestWait})`;

/**
 * The log of live events in a PostgreSQL store, for receivers and consumers on several machines. Receivers append to it, and
 * consumers take events from it, each event at least once and in the order of its extension.
 */
export class PostgresEventLog {
  readonly #db: Postgres;
  readonly #appends: GroupAppend;

  /**
   * @param db a store with the step `compliance and events`.
   * @param change is made with the new events, all or nothing.
   */
  constructor(db: Postgres, change?: EventChange) {
    this.#db = db;
    this.#appends = new GroupAppend(db, change);
  }

  /** Resolves when the events are durable; only then may they be acknowledged. A known key is not stored again. */
  append(events: readonly AddedEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    return Promise.all(events.map((event) => this.#appends.add(event)));
  }

  /**
   * Events after a position, in the final order: an event that is stored later never has an earlier position.
   * @param position undefined: from the beginning.
   */
  after(position: LogPosition | undefined, limit: number): Promise<readonly LoggedEvent[]> {
    return this.#db.query<LoggedEvent>(
      `select ${eventColumns} from event where (tx, id) > ($1::text::xid8, $2::text::bigint) and ${isFinal} order by tx, id limit $3`,
      [...placeOf(position), limit],
    );
  }

  /** Creates a consumer if it does not exist. */
  async addConsumer(
    name: string,
    { start, receiver }: { readonly start: ConsumerStart; readonly receiver?: string | undefined },
  ): Promise<void> {
    const place = await startPlace(this.#db, start);
    await this.#db.run(
      `insert into event_consumer (name, receiver, tx, id) values ($1, $2, $3::text::xid8, $4::text::bigint) on conflict do nothing`,
      [name, receiver ?? null, ...place],
    );
  }

  /** Deletes a consumer with its pending and dead events. @returns whether the consumer existed. */
  async removeConsumer(name: string): Promise<boolean> {
    return this.#db.transaction(async (transaction) => {
      const removed = await transaction.run('delete from event_consumer where name = $1', [name]);
      await transaction.run('delete from event_delivery where consumer = $1', [name]);
      return removed > 0;
    });
  }

  async consumers(): Promise<readonly ConsumerStatus[]> {
    const rows = await this.#db.query<
      ConsumerStatus & { readonly receiver: string | null; readonly oldestAt: number | null }
    >(
      `select name, receiver,
        (select count(*) from event where (event.tx, event.id) > (consumer.tx, consumer.id)
          and (consumer.receiver is null or event.receiver = consumer.receiver)) as behind,
        count(event_id) filter (where state = 'pending') as pending,
        count(event_id) filter (where state = 'pending' and lease_until > store_now()) as claimed,
        count(event_id) filter (where state = 'dead') as dead,
        (extract(epoch from least(
          (select received_at from event where (event.tx, event.id) > (consumer.tx, consumer.id)
            and (consumer.receiver is null or event.receiver = consumer.receiver) order by event.tx, event.id limit 1),
          (select min(received_at) from event join event_delivery as open on open.event_id = event.id
            where open.consumer = consumer.name and open.state = 'pending')
        )) * 1000)::bigint as "oldestAt"
       from event_consumer as consumer left join event_delivery on event_delivery.consumer = consumer.name
       group by consumer.name order by consumer.name`,
    );
    return rows.map((row) =>
      Object.assign(row, { receiver: row.receiver ?? undefined, oldestAt: row.oldestAt ?? undefined }),
    );
  }

  /**
   * Claims due events: for each extension the oldest unfinished event, unless another worker has claimed it.
   * @throws {UnknownConsumerError}
   */
  async claim(consumer: string, options: ClaimOptions): Promise<readonly ClaimedEvent[]> {
    const claimed = await this.#claimDue(consumer, options);
    const missing = options.limit - claimed.length;
    if (missing <= 0) return claimed;
    try {
      if ((await this.#take(consumer)) === 0) return claimed;
      return [...claimed, ...(await this.#claimDue(consumer, { ...options, limit: missing }))];
    } catch (error) {
      // Without their worker, the claimed events would wait until the lease ends.
      if (claimed.length > 0) return claimed;
      throw error;
    }
  }

  /**
   * One statement selects the oldest unfinished event of each extension, if it is due and not leased. An event that was
   * claimed before and has no attempts may be a dead or replayed event that is due again. It waits for a later event of
   * its extension that is leased. For other events, this check would read many rows for nothing. An event may be
   * deleted while a new consumer takes it. Its delivery is then deleted, because it would hold up its extension forever.
   */
  async #claimDue(
    consumer: string,
    { worker, leaseMilliseconds, limit }: ClaimOptions,
  ): Promise<readonly ClaimedEvent[]> {
    const rows = await this.#db.query<ClaimedEvent>(
      `with recursive first as (
         (select lane, tx, event_id from event_delivery where consumer = $1 and state = 'pending' order by lane, tx, event_id limit 1)
         union all
         select next.lane, next.tx, next.event_id from first cross join lateral (
           select lane, tx, event_id from event_delivery where consumer = $1 and state = 'pending' and lane > first.lane
           order by lane, tx, event_id limit 1
         ) as next
       ), due as (
         select event_id from event_delivery where consumer = $1 and state = 'pending' and event_id in (select event_id from first)
           and (due_at <= store_now() or due_at > store_now() + ${longestWait}) and not ${isLeased('event_delivery')}
           and (fence = 0 or attempts > 0 or not exists (select 1 from event_delivery as later where later.consumer = $1
             and later.lane = event_delivery.lane and later.state = 'pending' and ${isLeased('later')}))
         order by tx, event_id limit $2 for update skip locked
       ), gone as (
         delete from event_delivery where consumer = $1 and event_id in (select event_id from due)
           and not exists (select 1 from event where event.id = event_id)
       ), claimed as (
         update event_delivery set fence = fence + 1, attempts = attempts + 1, worker = $3,
           lease_until = store_now() + make_interval(secs => $4::float8 / 1000)
         where consumer = $1 and event_id in (select event_id from due) and exists (select 1 from event where event.id = event_id)
         returning event_id, fence, attempts
       )
       select ${eventColumns}, $1::text as consumer, claimed.fence, claimed.attempts as attempt
       from claimed join event on event.id = claimed.event_id order by event.tx, event.id`,
      [consumer, limit, worker, leaseMilliseconds],
    );
    return rows;
  }

  /**
   * Queues the next events of the log as deliveries of a consumer. After a replay began, a later event of an extension may
   * be in progress. The events before it get a fence, so that a claim checks for this. @returns their number.
   */
  async #take(consumer: string): Promise<number> {
    const [row] = await this.#db.query<{ known: boolean; taken: number }>(
      `with place as (
         select receiver, tx, id from event_consumer where name = $1 for update
       ), batch as (
         select event.id, event.tx, event.lane from event cross join place
         where (event.tx, event.id) > (place.tx, place.id) and ${isFinal} and (place.receiver is null or place.receiver = event.receiver)
         order by event.tx, event.id limit $2
       ), added as (
         insert into event_delivery (consumer, event_id, tx, lane, fence)
         select $1, id, tx, lane, exists (select 1 from event_delivery as later where later.consumer = $1 and later.lane = batch.lane
           and later.state = 'pending' and (later.tx, later.event_id) > (batch.tx, batch.id))::int
         from batch on conflict do nothing
       ), last as (
         select tx, id from batch order by tx desc, id desc limit 1
       ), moved as (
         update event_consumer set tx = last.tx, id = last.id from last where name = $1
       )
       select exists (select 1 from place) as known, (select count(*) from batch) as taken`,
      [consumer, takeBatch],
    );
    if (!row?.known) throw new UnknownConsumerError(consumer);
    return row.taken;
  }

  /** Extends the lease. @returns false if the lease has ended and another worker has claimed the event. */
  extend(event: ClaimedEvent, leaseMilliseconds: number): Promise<boolean> {
    return this.#change(event, 'lease_until = store_now() + make_interval(secs => $4::float8 / 1000)', [
      leaseMilliseconds,
    ]);
  }

  /** Finishes the event. @returns false if another worker has claimed the event. */
  async finish({ consumer, id, fence }: ClaimedEvent): Promise<boolean> {
    const sql = `delete from event_delivery where consumer = $1 and event_id = $2 and fence = $3 and state = 'pending'`;
    return (await this.#db.run(sql, [consumer, id, fence])) > 0;
  }

  /**
   * Ends a failed attempt. Later events of the extension wait for the retry, but not for a dead event.
   * @param next milliseconds until the retry, or `dead`. @returns false if another worker has claimed the event.
   */
  fail(event: ClaimedEvent, problem: string, next: number | 'dead'): Promise<boolean> {
    return next === 'dead'
      ? this.#change(event, `state = 'dead', lease_until = '-infinity', problem = $4`, [problem])
      : this.#change(
          event,
          `lease_until = '-infinity', problem = $4, due_at = store_now() + make_interval(secs => $5::float8 / 1000)`,
          [problem, next],
        );
  }

  /**
   * Ends an attempt without a result, because the worker stops. The attempt is not counted, and another worker can claim the
   * event immediately. @returns false if another worker has claimed the event.
   */
  release(event: ClaimedEvent): Promise<boolean> {
    return this.#change(event, `lease_until = '-infinity', attempts = attempts - 1`, []);
  }

  async #change(
    { consumer, id, fence }: ClaimedEvent,
    set: string,
    values: readonly (string | number)[],
  ): Promise<boolean> {
    const sql = `update event_delivery set ${set} where consumer = $1 and event_id = $2 and fence = $3 and state = 'pending'`;
    return (await this.#db.run(sql, [consumer, id, fence, ...values])) > 0;
  }

  deadEvents(consumer: string): Promise<readonly DeadEvent[]> {
    return this.#db.query<DeadEvent>(
      `select ${eventColumns}, attempts, coalesce(problem, '') as problem
       from event_delivery join event on event.id = event_id where consumer = $1 and state = 'dead' order by event.tx, event.id`,
      [consumer],
    );
  }

  /**
   * Makes dead events due again: all of them, or the events with these IDs. First locks the event of each extension that a
   * worker may be claiming, so that every later claim finds its lease. @returns their number.
   */
  retryDead(consumer: string, ids?: readonly number[]): Promise<number> {
    return this.#db.run(
      `with lane as (
         select distinct lane as name from event_delivery where ${deadCondition}
       ), next as (
         select first.event_id from lane cross join lateral (
           select event_id from event_delivery where consumer = $1 and state = 'pending' and lane = lane.name
           order by lane, tx, event_id limit 1
         ) as first
       ), locked as (
         select event_id from event_delivery where consumer = $1 and event_id in (select event_id from next) order by event_id for update
       )
       update event_delivery set state = 'pending', attempts = 0, due_at = '-infinity'
       where ${deadCondition} and (select count(*) from locked) >= 0`,
      [consumer, ids ?? null],
    );
  }

  /** Deletes dead events of a consumer: all of them, or the events with these IDs. @returns their number. */
  dropDead(consumer: string, ids?: readonly number[]): Promise<number> {
    return this.#db.run(`delete from event_delivery where ${deadCondition}`, [consumer, ids ?? null]);
  }

  /**
   * Delivers events to a consumer again, starting at a time or at the beginning of the log. `end` skips all events that no
   * worker has claimed, also those that wait for a retry. @throws {UnknownConsumerError}
   */
  async replay(consumer: string, start: ConsumerStart): Promise<void> {
    const place = await startPlace(this.#db, start);
    await this.#db.transaction(async (transaction) => {
      const moved = await transaction.run(
        'update event_consumer set tx = $2::text::xid8, id = $3::text::bigint where name = $1',
        [consumer, ...place],
      );
      if (moved === 0) throw new UnknownConsumerError(consumer);
      // A process finishes the events that it has claimed.
      if (start === 'end')
        await transaction.run(
          `delete from event_delivery where consumer = $1 and state = 'pending' and lease_until <= store_now()`,
          [consumer],
        );
      // Dead events are part of the replay.
      await transaction.run(
        `delete from event_delivery where consumer = $1 and state = 'dead' and (tx, event_id) > ($2::text::xid8, $3::text::bigint)`,
        [consumer, ...place],
      );
    });
  }

  /**
   * Deletes events of a receiver that were received before a time (milliseconds since 1970) and that no consumer still
   * needs. Other receivers may retain their events for longer. @returns their number.
   */
  trim(receiver: string, before: number): Promise<number> {
    return this.#db.run(
      `delete from event where receiver = $1 and received_at < to_timestamp($2::float8 / 1000)
        and not exists (select 1 from event_consumer as consumer where (consumer.receiver is null or consumer.receiver = event.receiver)
          and (consumer.tx, consumer.id) < (event.tx, event.id))
        and not exists (select 1 from event_delivery where event_id = event.id)`,
      [receiver, before],
    );
  }
}

const deadCondition = `consumer = $1 and state = 'dead' and ($2::bigint[] is null or event_id = any($2))`;

/** Returns the transaction and the ID of a position, as texts. */
function placeOf(position: LogPosition | undefined): readonly [string, string] {
  const [, tx = '0', id = '0'] = /^(\d+)-(\d+)$/.exec(position ?? '') ?? [];
  return [tx, id];
}

/** Returns the position before the first event of a start. @throws {StoreError} */
async function startPlace(db: Queries, start: ConsumerStart): Promise<readonly [string, string]> {
  if (start === 'start') return ['0', '0'];
  const since = start === 'end' ? null : start.since;
  const [row] = await db.query<{ tx: string; id: string }>(
    `(select tx::text as tx, (id - 1)::text as id from event where received_at >= to_timestamp($1::float8 / 1000) and ${isFinal}
       order by event.tx, event.id limit 1)
     union all select pg_snapshot_xmin(pg_current_snapshot())::text, '0' limit 1`,
    [since],
  );
  return [row?.tx ?? '0', row?.id ?? '0'];
}
