import type { Database } from '../../platform/sqlite.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** The parts of the state that the console shows. A change contains the parts to read again. */
export const changeTopics = [
  'phones',
  'messages',
  'events',
  'calls',
  'queues',
  'requests',
  'service',
] as const;
export type ChangeTopic = (typeof changeTopics)[number];

/**
 * The part of the state to which the rows of a table belong. Tables that the console does not show belong to no part.
 */
const topicOfTable: Readonly<Record<string, ChangeTopic>> = lookupTable({
  call: 'phones',
  callLeg: 'phones',
  presence: 'phones',
  extension: 'phones',
  message: 'messages',
  delivery: 'events',
  subscription: 'events',
  callRecord: 'calls',
  departmentMember: 'queues',
  queueAbsence: 'queues',
  requestLog: 'requests',
});

/** Milliseconds for which changes are collected, so that a burst of writes is one notification. */
const collectMilliseconds = 40;

/** Notifies the open pages of the console of changes. Without an open page, a change costs one comparison. */
export class ChangeFeed {
  readonly #listeners = new Set<(topics: readonly ChangeTopic[]) => void>();
  #changed = new Set<ChangeTopic>();
  #isDue = false;

  /** Registers a listener, which is called with the changed parts. @returns a function that removes the listener. */
  watch(listener: (topics: readonly ChangeTopic[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Reports that a part of the state may have changed. */
  note(...topics: readonly ChangeTopic[]): void {
    if (this.#listeners.size === 0) return;
    for (const topic of topics) this.#changed.add(topic);
    if (this.#isDue) return;
    this.#isDue = true;
    setTimeout(() => this.#send(), collectMilliseconds).unref();
  }

  #send(): void {
    const topics = [...this.#changed];
    this.#changed = new Set();
    this.#isDue = false;
    for (const listener of this.#listeners) listener(topics);
  }
}

const feeds = new WeakMap<Database, ChangeFeed>();

/** Returns the changes of a database, shared by all its stores. */
export function changesOf(db: Database): ChangeFeed {
  const known = feeds.get(db);
  if (known) return known;
  const fresh = new ChangeFeed();
  feeds.set(db, fresh);
  return fresh;
}

/**
 * Returns the part of the state that a statement writes; undefined for a read, and for a table that the console does
 * not show.
 */
export function topicOf(sql: string): ChangeTopic | undefined {
  const [, table = ''] = /^\s*(?:INSERT (?:OR \w+ )?INTO|UPDATE|DELETE FROM)\s+"?(\w+)/i.exec(sql) ?? [];
  return topicOfTable[table];
}
