import type { Postgres, PreparedStatement } from '../../../platform/postgres/postgres.ts';
import type { AddedEvent } from '../../../store/event-log.ts';
import { subjectOf } from './lane.ts';
import { NotOwnerError } from './not-owner.ts';

/** Number of events that one statement stores. */
const appendBatch = 500;

/** A change that the statement that stores new events also makes, such as a report to the workers. */
export interface EventChange {
  /** Short name of the events that cause the change, such as `messages`. */
  readonly event: string;
  /** Common table expressions of SQL. @param lanes a subquery with the extensions of the new events. */
  readonly tables: (lanes: string) => string;
}

interface Waiting {
  readonly event: AddedEvent;
  readonly resolve: (result: 'new' | 'duplicate') => void;
  readonly reject: (error: unknown) => void;
}

/** Waits for the disk whatever the server does by default, and keeps stricter values, such as `remote_apply`. */
const durably = `(select count(set_config('synchronous_commit', 'on', true)) from (select 1) as one
  where current_setting('synchronous_commit') in ('off', 'local')) is not null`;

const given = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[])
  as given (receiver, key, lane, origin, encrypted, raw)`;

/** The part of a statement that stores the events, for all processes or only for the owner of the receiver. */
function insertion(isFenced: boolean): string {
  return `insert into event (receiver, key, lane, origin, encrypted, raw)
  select receiver, key, lane, origin, encrypted, raw from ${given} where ${durably}${isFenced ? ' and exists (select from owner)' : ''}
  on conflict (receiver, key) do nothing`;
}

/**
 * The lock delays the next owner until the events are committed, so that no event is stored after another process has
 * become the owner.
 */
const ownerTable = (parameter: string): string =>
  `owner as materialized (select from receiver where name = ($1::text[])[1] and fence = ${parameter}::text::bigint for share)`;
/** A row without a key says that this process is not the owner. */
const notOwner = 'union all select null, null where not exists (select from owner)';

/** Statements for the events of all processes, and for the events of the owner. */
interface Insertions {
  readonly open: PreparedStatement;
  readonly fenced: PreparedStatement;
}

function plainInsertion(isFenced: boolean): PreparedStatement {
  if (!isFenced) return { name: 'append events', text: `${insertion(false)} returning receiver, key` };
  return {
    name: 'append events as owner',
    text: `with ${ownerTable('$7')}, added as (${insertion(true)} returning receiver, key)
    select receiver, key from added ${notOwner}`,
  };
}

function changingInsertion(change: EventChange, isFenced: boolean): PreparedStatement {
  const lanes = 'select lane from added join named using (receiver, key) where is_cause';
  return {
    name: `append events${isFenced ? ' as owner' : ''} and change ${change.event}`,
    text: `with ${isFenced ? `${ownerTable('$8')}, ` : ''}named as materialized (
      select * from unnest($1::text[], $2::text[], $7::boolean[]) as named (receiver, key, is_cause)
    ), added as (${insertion(isFenced)} returning receiver, key, lane), ${change.tables(lanes)}
    select receiver, key from added ${isFenced ? notOwner : ''}`,
  };
}

const plain: Insertions = { open: plainInsertion(false), fenced: plainInsertion(true) };

/**
 * Stores events in PostgreSQL in groups. Events that arrive during a commit share the next commit. A group is one
 * statement without an explicit transaction, so that it waits for the server only once.
 */
export class GroupAppend {
  readonly #db: Postgres;
  readonly #change: EventChange | undefined;
  readonly #changing: Insertions | undefined;
  #waiting: Waiting[] = [];
  #isWriting = false;

  constructor(db: Postgres, change?: EventChange) {
    this.#db = db;
    this.#change = change;
    this.#changing = change && {
      open: changingInsertion(change, false),
      fenced: changingInsertion(change, true),
    };
  }

  /** Resolves when the event is durable. @throws {NotOwnerError} if the event has another fence. @throws {StoreError} */
  add(event: AddedEvent): Promise<'new' | 'duplicate'> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      void this.#write();
    });
  }

  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    // Requests that have already arrived share the first commit.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#nextGroup();
      try {
        const isNew = await this.#insert(group.map(({ event }) => event));
        for (const [index, { resolve }] of group.entries()) resolve(isNew[index] ? 'new' : 'duplicate');
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isWriting = false;
  }

  /** Removes the next events that one statement can store. */
  #nextGroup(): readonly Waiting[] {
    const [first] = this.#waiting;
    const end = this.#waiting.findIndex(({ event }) => event.fence !== first?.event.fence);
    return this.#waiting.splice(0, end < 0 ? appendBatch : Math.min(end, appendBatch));
  }

  async #insert(events: readonly AddedEvent[]): Promise<readonly boolean[]> {
    const subjects = events.map(subjectOf);
    const values = [
      events.map(({ receiver }) => receiver),
      events.map(({ key }) => key),
      subjects.map(({ lane }) => lane),
      events.map(({ origin }) => origin),
      events.map(({ encrypted }) => String(encrypted)),
      events.map(({ raw }) => raw),
    ];
    const isCause = subjects.map(({ name }) => name === this.#change?.event);
    const kind = events[0]?.fence === undefined ? 'open' : 'fenced';
    const fence = kind === 'open' ? [] : [String(events[0]?.fence)];
    const rows =
      this.#changing && isCause.includes(true)
        ? await this.#db.prepared<StoredKey>(this.#changing[kind], [...values, isCause.map(String), ...fence])
        : await this.#db.prepared<StoredKey>(plain[kind], [...values, ...fence]);
    if (rows.some(({ key }) => key === null)) throw new NotOwnerError();
    const added = new Set(rows.map(({ receiver, key }) => `${receiver}\n${key}`));
    // If a key occurs several times in one group, only the first event is new.
    return events.map(({ receiver, key }) => added.delete(`${receiver}\n${key}`));
  }
}

/** A stored event; null if this process is not the owner. */
interface StoredKey {
  readonly receiver: string | null;
  readonly key: string | null;
}
