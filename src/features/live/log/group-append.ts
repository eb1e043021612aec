import { randomUUID } from 'node:crypto';
import type { Pipeline } from '../../../platform/postgres/pipeline.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { AddedEvent } from '../../../store/event-log.ts';
import {
  changingInsertions,
  plainInsertions,
  type EventChange,
  type Insertions,
} from './append-statements.ts';
import { subjectOf } from './lane.ts';
import { NotOwnerError } from './not-owner.ts';

/** Number of events that one statement stores. */
const appendBatch = 500;

/** Number of statements that the server has received and not answered. It executes one while ucctl prepares the next. */
const maximumSent = 2;
/**
 * Separates the texts of a group. JSON cannot contain this control character, and the server splits a text faster than
 * it parses an array in which each quotation mark is escaped.
 */
const usualSeparator = '\u001E';

interface Waiting {
  readonly event: AddedEvent;
  readonly resolve: (result: 'new' | 'duplicate') => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores events in PostgreSQL in groups. Events that arrive during a commit share a later commit. A group is one
 * statement without an explicit transaction. All groups use one connection, so that their order is that of the events.
 */
export class GroupAppend {
  readonly #pipeline: Pipeline;
  readonly #change: EventChange | undefined;
  readonly #changing: Insertions | undefined;
  #waiting: Waiting[] = [];
  #sent = 0;
  #isDue = false;

  constructor(db: Postgres, change?: EventChange) {
    this.#pipeline = db.pipeline();
    this.#change = change;
    this.#changing = change && changingInsertions(change);
  }

  /** Resolves when the event is durable. @throws {NotOwnerError} if the event has another fence. @throws {StoreError} */
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
      while (this.#waiting.length > 0 && this.#sent < maximumSent) void this.#store(this.#nextGroup());
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

  /** Removes the next events that one statement can store. */
  #nextGroup(): readonly Waiting[] {
    const next = this.#waiting.slice(0, appendBatch);
    const end = next.findIndex(({ event }) => event.fence !== next[0]?.event.fence);
    return this.#waiting.splice(0, end < 0 ? appendBatch : end);
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
    const kind = events[0]?.fence === undefined ? 'open' : 'fenced';
    const fence = kind === 'open' ? [] : [String(events[0]?.fence)];
    const rows =
      this.#changing && isCause.includes(true)
        ? await this.#pipeline.prepared<StoredKey>(this.#changing[kind], [
            ...values,
            isCause.map(String),
            ...fence,
          ])
        : await this.#pipeline.prepared<StoredKey>(plainInsertions[kind], [...values, ...fence]);
    if (rows.some(({ key }) => key === null)) throw new NotOwnerError();
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

/** A stored event; null if this process is not the owner. */
interface StoredKey {
  readonly receiver: string | null;
  readonly key: string | null;
}
