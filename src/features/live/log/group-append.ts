import { randomUUID } from 'node:crypto';
import type { Pipeline } from '../../../platform/postgres/pipeline.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { PreparedStatement } from '../../../platform/postgres/statement.ts';
import type { AddedEvent } from '../../../store/event-log.ts';
import { subjectOf } from './lane.ts';

/** Number of events that one statement stores. */
const appendBatch = 500;

/** Number of statements that the server has received and not answered. It executes one while ucctl prepares the next. */
const maximumSent = 2;
/**
 * Separates the texts of a group. JSON cannot contain this control character, and the server splits a text faster than
 * it parses an array in which each quotation mark is escaped.
 */
const usualSeparator = '\u001E';

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

const given = `unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], string_to_array($6::text, $7::text))
  as given (receiver, key, lane, origin, encrypted, raw)`;

const insertion = (source: string): string => `insert into event (receiver, key, lane, origin, encrypted, raw)
  select receiver, key, lane, origin, encrypted, raw from ${source} where ${durably}
  on conflict (receiver, key) do nothing`;

const plainInsertion: PreparedStatement = {
  name: 'append events',
  text: `${insertion(given)} returning receiver, key`,
};

function changingInsertion(change: EventChange): PreparedStatement {
  const lanes = 'select lane from added join named using (receiver, key) where is_cause';
  return {
    name: `append events and change ${change.event}`,
    text: `with named as materialized (
      select * from unnest($1::text[], $2::text[], $8::boolean[]) as named (receiver, key, is_cause)
    ), added as (${insertion(given)} returning receiver, key, lane), ${change.tables(lanes)}
    select receiver, key from added`,
  };
}

/**
 * Stores events in PostgreSQL in groups. Events that arrive during a commit share a later commit. A group is one
 * statement without an explicit transaction. All groups use one connection, so that their order is that of the events.
 */
export class GroupAppend {
  readonly #pipeline: Pipeline;
  readonly #change: EventChange | undefined;
  readonly #changing: PreparedStatement | undefined;
  #waiting: Waiting[] = [];
  #sent = 0;
  #isDue = false;

  constructor(db: Postgres, change?: EventChange) {
    this.#pipeline = db.pipeline();
    this.#change = change;
    this.#changing = change && changingInsertion(change);
  }

  /** Resolves when the event is durable. @throws {StoreError} */
  add(event: AddedEvent): Promise<'new' | 'duplicate'> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#isDue || this.#waiting.length === 0) return;
    this.#isDue = true;
    // Requests that have already arrived share the next commit.
    setImmediate(() => {
      this.#isDue = false;
      while (this.#waiting.length > 0 && this.#sent < maximumSent)
        void this.#store(this.#waiting.splice(0, appendBatch));
    });
  }

  async #store(group: readonly Waiting[]): Promise<void> {
    this.#sent += 1;
    try {
      const isNew = await this.#insert(group.map(({ event }) => event));
      for (const [index, { resolve }] of group.entries()) resolve(isNew[index] ? 'new' : 'duplicate');
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#sent -= 1;
    this.#schedule();
  }

  async #insert(events: readonly AddedEvent[]): Promise<readonly boolean[]> {
    const subjects = events.map(subjectOf);
    const texts = events.map(({ raw }) => raw);
    const separator = separatorOf(texts);
    const values = [
      events.map(({ receiver }) => receiver),
      events.map(({ key }) => key),
      subjects.map(({ lane }) => lane),
      events.map(({ origin }) => origin),
      events.map(({ encrypted }) => String(encrypted)),
      texts.join(separator),
      separator,
    ];
    const isCause = subjects.map(({ name }) => name === this.#change?.event);
    const rows =
      this.#changing && isCause.includes(true)
        ? await this.#pipeline.prepared<StoredKey>(this.#changing, [...values, isCause.map(String)])
        : await this.#pipeline.prepared<StoredKey>(plainInsertion, values);
    const added = new Set(rows.map(({ receiver, key }) => `${receiver}\n${key}`));
    // If a key occurs several times in one group, only the first event is new.
    return events.map(({ receiver, key }) => added.delete(`${receiver}\n${key}`));
  }
}

/** Returns a text that none of the texts contains. */
function separatorOf(texts: readonly string[]): string {
  const isPart = texts.some((text) => text.includes(usualSeparator));
  return isPart ? `${usualSeparator}${randomUUID()}${usualSeparator}` : usualSeparator;
}

interface StoredKey {
  readonly receiver: string;
  readonly key: string;
}
