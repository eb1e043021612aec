import { transaction, type Database } from '../../../platform/sqlite.ts';
import { insertRow, prepareNamed } from '../../../platform/named-statement.ts';
import { GroupCommit } from '../../../platform/group-commit.ts';
import type {
  ClaimedEvent,
  ClaimOptions,
  ConsumerStart,
  ConsumerStatus,
  DeadEvent,
  EventLog,
  LoggedEvent,
  LogPosition,
  NewEvent,
} from '../../../store/event-log.ts';
import { createTables, insertEvent, openInboxDatabase } from '../store/schema.ts';
import { laneOfText } from './lane.ts';
import { longestWaitMilliseconds } from './longest-wait.ts';
import { UnknownConsumerError } from './unknown-consumer.ts';

/** Number of events that a consumer takes from the log per step. */
const takeBatch = 1000;

const eventColumns = `event.id, CAST(event.id AS TEXT) AS position, event.receiver, event.key, event.receivedAt, event.origin,
  event.sealed AS encrypted, event.raw`;

type EventRow = Omit<LoggedEvent, 'encrypted' | 'lane'> & { readonly encrypted: 0 | 1 };
type DeliveryRow = EventRow & {
  readonly lane: string;
  readonly fence: number;
  readonly attempts: number;
  readonly problem: string | null;
};

/**
 * The log of live events in the inbox of this machine. SQLite assigns the IDs of events in the order of the commits.
 */
export class SqliteEventLog implements EventLog {
  readonly #db: Database;
  readonly #now: () => number;
  readonly #commits: GroupCommit;

  /** Opens or creates the inbox in a file. @throws {DatabaseError} */
  constructor(file: string, now: () => number) {
    this.#db = openInboxDatabase(file);
    this.#now = now;
    createTables(this.#db, file);
    this.#commits = new GroupCommit({ transaction: (work) => transaction(this.#db, work) });
  }

  close(): void {
    this.#commits.commit();
    this.#db.close();
  }

  append(events: readonly NewEvent[]): Promise<readonly ('new' | 'duplicate')[]> {
    const insert = prepareNamed(this.#db, insertEvent);
    return Promise.all(
      events.map(({ receiver, key, origin, encrypted, raw }) =>
        this.#commits.add(() => {
          const row = { receiver, key, receivedAt: this.#now(), origin, sealed: encrypted ? 1 : 0, raw };
          return insert.run(row).changes > 0 ? 'new' : 'duplicate';
        }),
      ),
    );
  }

  async after(position: LogPosition | undefined, limit: number): Promise<readonly LoggedEvent[]> {
    const sql = `SELECT ${eventColumns} FROM event WHERE id > ? ORDER BY id LIMIT ?`;
    return (this.#db.prepare(sql).all(Number(position ?? 0), limit) as readonly EventRow[]).map(asEvent);
  }

  async addConsumer(
    name: string,
    { start, receiver }: { readonly start: ConsumerStart; readonly receiver?: string | undefined },
  ): Promise<void> {
    const row = { name, receiver: receiver ?? null, position: this.#startOf(start) };
    insertRow(this.#db, 'consumer', row, 'ON CONFLICT DO NOTHING');
  }

  async removeConsumer(name: string): Promise<boolean> {
    return transaction(this.#db, () => {
      this.#run('DELETE FROM consumerDelivery WHERE consumer = ?', name);
      return this.#run('DELETE FROM consumer WHERE name = ?', name) > 0;
    });
  }

  async consumers(): Promise<readonly ConsumerStatus[]> {
    const rows = this.#db
      .prepare(`SELECT name, receiver,
        (SELECT count(*) FROM event WHERE id > position AND (consumer.receiver IS NULL OR event.receiver = consumer.receiver)) AS behind,
        (SELECT count(*) FROM consumerDelivery WHERE consumer = name AND state = 'pending') AS pending,
        (SELECT count(*) FROM consumerDelivery WHERE consumer = name AND state = 'pending' AND leaseUntil > ?) AS claimed,
        (SELECT count(*) FROM consumerDelivery WHERE consumer = name AND state = 'dead') AS dead,
        (SELECT min(receivedAt) FROM event WHERE (id > position AND (consumer.receiver IS NULL OR event.receiver = consumer.receiver))
          OR id IN (SELECT eventId FROM consumerDelivery WHERE consumer = name AND state = 'pending')) AS oldestAt
       FROM consumer ORDER BY name`)
      .all(this.#now()) as readonly (ConsumerStatus & {
      readonly receiver: string | null;
      readonly oldestAt: number | null;
    })[];
    return rows.map((row) =>
      Object.assign(row, { receiver: row.receiver ?? undefined, oldestAt: row.oldestAt ?? undefined }),
    );
  }

  async claim(
    consumer: string,
    { worker, leaseMilliseconds, limit }: ClaimOptions,
  ): Promise<readonly ClaimedEvent[]> {
    return transaction(this.#db, () => {
      let due = this.#due(consumer, limit);
      if (due.length < limit && this.#take(consumer)) due = this.#due(consumer, limit);
      const now = this.#now();
      for (const { id } of due)
        this.#run(
          'UPDATE consumerDelivery SET fence = fence + 1, attempts = attempts + 1, worker = ?, leaseUntil = ? WHERE consumer = ? AND eventId = ?',
          worker,
          now + leaseMilliseconds,
          consumer,
          id,
        );
      return due.map((row) =>
        Object.assign(asEvent(row), { consumer, fence: row.fence + 1, attempt: row.attempts + 1 }),
      );
    });
  }

  /**
   * Selects the oldest unfinished event of each extension, if it is due and no event of the extension is leased. A later
   * event is leased if a dead event was made due again meanwhile.
   */
  #due(consumer: string, limit: number): readonly DeliveryRow[] {
    const now = this.#now();
    return this.#db
      .prepare(`SELECT ${eventColumns}, lane, fence, attempts, problem FROM (
         SELECT min(eventId) AS first FROM consumerDelivery WHERE consumer = ? AND state = 'pending' GROUP BY lane
       ) JOIN consumerDelivery ON consumer = ? AND eventId = first JOIN event ON event.id = first
       WHERE (dueAt <= ? OR dueAt > ?) AND NOT EXISTS (SELECT 1 FROM consumerDelivery AS other WHERE other.consumer = ?
         AND other.lane = consumerDelivery.lane AND state = 'pending' AND other.leaseUntil > ? AND other.leaseUntil <= ?) ORDER BY first LIMIT ?`)
      .all(
        consumer,
        consumer,
        now,
        now + longestWaitMilliseconds,
        consumer,
        now,
        now + longestWaitMilliseconds,
        limit,
      ) as readonly DeliveryRow[];
  }

  /** Queues the next events of the log as deliveries of a consumer. @returns whether there were any events. */
  #take(consumer: string): boolean {
    const [place] = this.#db
      .prepare('SELECT receiver, position FROM consumer WHERE name = ?')
      .all(consumer) as readonly { readonly receiver: string | null; readonly position: number }[];
    if (!place) throw new UnknownConsumerError(consumer);
    const batch = this.#db
      .prepare('SELECT id, raw FROM event WHERE id > ? AND (? IS NULL OR receiver = ?) ORDER BY id LIMIT ?')
      .all(place.position, place.receiver, place.receiver, takeBatch) as readonly {
      readonly id: number;
      readonly raw: string;
    }[];
    for (const { id, raw } of batch) {
      const row = { consumer, eventId: id, lane: laneOfText(raw) };
      insertRow(this.#db, 'consumerDelivery', row, 'ON CONFLICT DO NOTHING');
    }
    const last = batch.at(-1);
    if (last) this.#run('UPDATE consumer SET position = ? WHERE name = ?', last.id, consumer);
    return last !== undefined;
  }

  async extend(event: ClaimedEvent, leaseMilliseconds: number): Promise<boolean> {
    return this.#change(event, 'leaseUntil = ?', this.#now() + leaseMilliseconds);
  }

  async finish({ consumer, id, fence }: ClaimedEvent): Promise<boolean> {
    const sql = `DELETE FROM consumerDelivery WHERE consumer = ? AND eventId = ? AND fence = ? AND state = 'pending'`;
    return this.#run(sql, consumer, id, fence) > 0;
  }

  async fail(event: ClaimedEvent, problem: string, next: number | 'dead'): Promise<boolean> {
    return next === 'dead'
      ? this.#change(event, `state = 'dead', leaseUntil = 0, problem = ?`, problem)
      : this.#change(event, 'leaseUntil = 0, problem = ?, dueAt = ?', problem, this.#now() + next);
  }

  async release(event: ClaimedEvent): Promise<boolean> {
    return this.#change(event, 'leaseUntil = 0, attempts = attempts - 1');
  }

  #change(
    { consumer, id, fence }: ClaimedEvent,
    set: string,
    ...values: readonly (string | number)[]
  ): boolean {
    const sql = `UPDATE consumerDelivery SET ${set} WHERE consumer = ? AND eventId = ? AND fence = ? AND state = 'pending'`;
    return this.#run(sql, ...values, consumer, id, fence) > 0;
  }

  async deadEvents(consumer: string): Promise<readonly DeadEvent[]> {
    const rows = this.#db
      .prepare(`SELECT ${eventColumns}, lane, fence, attempts, problem FROM consumerDelivery JOIN event ON event.id = eventId
       WHERE consumer = ? AND state = 'dead' ORDER BY eventId`)
      .all(consumer) as readonly DeliveryRow[];
    return rows.map((row) =>
      Object.assign(asEvent(row), { attempts: row.attempts, problem: row.problem ?? '' }),
    );
  }

  async retryDead(consumer: string, ids?: readonly number[]): Promise<number> {
    const sql = `UPDATE consumerDelivery SET state = 'pending', attempts = 0, dueAt = 0 WHERE ${deadCondition}`;
    return this.#run(sql, consumer, idList(ids), idList(ids));
  }

  async dropDead(consumer: string, ids?: readonly number[]): Promise<number> {
    const sql = `DELETE FROM consumerDelivery WHERE ${deadCondition}`;
    return this.#run(sql, consumer, idList(ids), idList(ids));
  }

  async replay(consumer: string, start: ConsumerStart): Promise<void> {
    transaction(this.#db, () => {
      const place = this.#startOf(start);
      if (this.#run('UPDATE consumer SET position = ? WHERE name = ?', place, consumer) === 0)
        throw new UnknownConsumerError(consumer);
      // A worker finishes the events that it has claimed.
      if (start === 'end')
        this.#run(
          `DELETE FROM consumerDelivery WHERE consumer = ? AND state = 'pending' AND leaseUntil <= ?`,
          consumer,
          this.#now(),
        );
      // Dead events are part of the replay.
      this.#run(
        `DELETE FROM consumerDelivery WHERE consumer = ? AND state = 'dead' AND eventId > ?`,
        consumer,
        place,
      );
    });
  }

  async trim(receiver: string, before: number): Promise<number> {
    return this.#run(
      `DELETE FROM event WHERE receiver = ? AND receivedAt < ? AND id NOT IN (SELECT eventId FROM consumerDelivery) AND NOT EXISTS (
         SELECT 1 FROM consumer WHERE (consumer.receiver IS NULL OR consumer.receiver = event.receiver) AND position < event.id)`,
      receiver,
      before,
    );
  }

  /** Returns the position before the first event of a start. */
  #startOf(start: ConsumerStart): number {
    if (start === 'start') return 0;
    const [first] =
      start === 'end'
        ? []
        : (this.#db
            .prepare('SELECT min(id) - 1 AS id FROM event WHERE receivedAt >= ? HAVING id IS NOT NULL')
            .all(start.since) as readonly { readonly id: number }[]);
    const [last] = this.#db.prepare('SELECT coalesce(max(id), 0) AS id FROM event').all() as readonly {
      readonly id: number;
    }[];
    return first?.id ?? last?.id ?? 0;
  }

  #run(sql: string, ...values: readonly (string | number | null)[]): number {
    return this.#db.prepare(sql).run(...values).changes;
  }
}

const deadCondition = `consumer = ? AND state = 'dead' AND (? IS NULL OR eventId IN (SELECT value FROM json_each(?)))`;

function idList(ids: readonly number[] | undefined): string | null {
  return ids ? JSON.stringify(ids) : null;
}

function asEvent({ id, position, receiver, key, receivedAt, origin, encrypted, raw }: EventRow): LoggedEvent {
  const lane = laneOfText(raw);
  return { id, position, receiver, key, lane, receivedAt, origin, encrypted: encrypted === 1, raw };
}
