import type { CachedStatements } from '../../platform/cached-statements.ts';
import type { Stream } from '../../store/mailbox.ts';
import { isShared, type MessageColumns } from './record.ts';

/** A message that is already in the copy. */
export interface Known {
  readonly pk: number;
  readonly availability: string;
  readonly missingSince: string | null;
  readonly lastModifiedTime: string | null;
  readonly type: string;
  readonly direction: string | null;
  readonly readStatus: string | null;
  readonly mediaWanted: number;
  readonly subject: string | null;
  readonly fromNumber: string | null;
  readonly fromExtension: string | null;
  readonly fromName: string | null;
  readonly toNumbers: string | null;
  readonly toNames: string | null;
  readonly raw: string;
}

type Value = string | number | null;

/** The columns whose values come from a record of the service. */
export const recordColumns: Readonly<Record<string, (record: MessageColumns) => Value>> = {
  type: (record) => record.type,
  direction: (record) => record.direction,
  availability: (record) => record.availability,
  read_status: (record) => record.readStatus,
  message_status: (record) => record.messageStatus,
  creation_time: (record) => record.creationTime,
  last_modified_time: (record) => record.lastModifiedTime,
  conversation_id: (record) => record.conversationId,
  from_number: (record) => record.fromNumber,
  from_extension: (record) => record.fromExtension,
  from_name: (record) => record.fromName,
  to_numbers: (record) => record.toNumbers,
  to_names: (record) => record.toNames,
  subject: (record) => record.subject,
  media_wanted: (record) => record.mediaWanted,
  raw: (record) => record.raw,
};
const columnNames = Object.keys(recordColumns);
const readers = Object.values(recordColumns);
const insertSql = `INSERT INTO message (pk, extension_id, message_id, seen_in, changed_in, ${columnNames.join(', ')})
  VALUES (?, ?, ?, ?, ?, ${columnNames.map(() => '?').join(', ')})`;
const updateSql = `UPDATE message SET missing_since = NULL, seen_in = ?, changed_in = ?, ${columnNames.map((name) => `${name} = ?`).join(', ')}
  WHERE pk = ?`;
/** Maximum number of entries in the map of used keys. */
const mostSkips = 100_000;
const those = 'pk IN (SELECT value FROM json_each(?))';

/** The rows of one mailbox with their full text and versions. */
export class MessageTable {
  readonly #db: CachedStatements;
  readonly #extensionId: string;
  readonly #runId: number;
  /** Maps a used key to a later key that may be free. */
  readonly #skip = new Map<number, number>();
  #empty: boolean | undefined;
  #startedEmpty = false;

  constructor(db: CachedStatements, extensionId: string, runId: number) {
    this.#db = db;
    this.#extensionId = extensionId;
    this.#runId = runId;
  }

  /** Returns the messages with these IDs that are already in the copy. */
  known(ids: readonly string[]): ReadonlyMap<string, Known> {
    const found = new Map<string, Known>();
    if (ids.length === 0 || this.#isEmpty()) return found;
    const rows = this.#db
      .prepare(
        `SELECT pk, message_id, availability, missing_since AS missingSince, last_modified_time AS lastModifiedTime, type, direction,
       read_status AS readStatus, media_wanted AS mediaWanted, subject,
       from_number AS fromNumber, from_extension AS fromExtension, from_name AS fromName, to_numbers AS toNumbers, to_names AS toNames, raw FROM message
       WHERE extension_id = ? AND message_id IN (SELECT value FROM json_each(?))`,
      )
      .all(this.#extensionId, JSON.stringify(ids)) as (Known & { readonly message_id: string })[];
    for (const row of rows) found.set(row.message_id, row);
    return found;
  }

  /**
   * Adds messages and returns their primary keys. Keys are ordered by creation time, so that the newest messages are
   * found without sorting.
   */
  insert(records: readonly MessageColumns[]): readonly number[] {
    if (records.length === 0) return [];
    this.#empty = false;
    const keyed = this.#withKeys(records).sort((a, b) => a.pk - b.pk);
    const statement = this.#db.prepare(insertSql);
    for (const { pk, record } of keyed) {
      statement.run(pk, this.#extensionId, record.id, this.#runId, this.#runId, ...valuesOf(record));
    }
    const pks = keyed.map(({ pk }) => pk);
    this.#index(pks);
    return pks;
  }

  /** Replaces messages and stores their previous records as versions. */
  update(changes: readonly { readonly known: Known; readonly record: MessageColumns }[]): void {
    if (changes.length === 0) return;
    const reworded = changes.filter(({ known, record }) => wordsDiffer(known, record));
    const pks = reworded.map(({ known }) => known.pk);
    this.keepVersions(
      changes.filter(({ known, record }) => known.raw !== record.raw).map(({ known }) => known.pk),
    );
    this.#unindex(pks);
    const statement = this.#db.prepare(updateSql);
    for (const { known, record } of changes) {
      statement.run(this.#runId, this.#runId, ...valuesOf(record), known.pk);
    }
    this.#index(pks);
  }

  /** Runs `write`, which changes columns of messages, and updates their full text. */
  rewrite(pks: readonly number[], write: () => void): void {
    this.#unindex(pks);
    write();
    this.#index(pks);
  }

  keepVersions(pks: readonly number[]): void {
    if (pks.length === 0) return;
    this.#db
      .prepare(
        `INSERT INTO message_version (message_pk, extension_id, message_id, last_modified_time, replaced_in, raw)
       SELECT pk, extension_id, message_id, last_modified_time, ?, raw FROM message WHERE ${those}`,
      )
      .run(this.#runId, JSON.stringify(pks));
  }

  seen(pks: readonly number[]): void {
    if (pks.length === 0) return;
    this.#db.prepare(`UPDATE message SET seen_in = ? WHERE ${those}`).run(this.#runId, JSON.stringify(pks));
  }

  /**
   * Returns the messages of the scope that exist in the copy but were not returned in this run. With `isPersonal`, only
   * those that no queue owns.
   */
  unseen(
    { messageType, direction }: Stream,
    oldestPk: number,
    isPersonal: boolean | undefined,
  ): readonly number[] {
    if (this.#startedEmpty) return [];
    const rows = this.#db
      .prepare(
        `SELECT pk, ${isPersonal ? 'raw' : "''"} AS raw FROM message WHERE extension_id = ? AND pk >= ? AND seen_in <> ? AND availability = 'Alive' AND missing_since IS NULL
       AND type = coalesce(?, type) AND coalesce(direction, '') = coalesce(?, direction, '')`,
      )
      .all(this.#extensionId, oldestPk, this.#runId, messageType ?? null, direction ?? null);
    return (rows as { readonly pk: number; readonly raw: string }[])
      .filter(({ raw }) => !isPersonal || !isShared(raw, this.#extensionId))
      .map(({ pk }) => pk);
  }

  /** Removes messages with their versions, attachments and full text. */
  remove(pks: readonly number[]): void {
    if (pks.length === 0) return;
    this.#unindex(pks);
    this.#dropContent(pks);
    this.#db.prepare(`DELETE FROM message WHERE ${those}`).run(JSON.stringify(pks));
  }

  /** Removes the content of messages, except ID and availability. */
  empty(pks: readonly number[]): void {
    if (pks.length === 0) return;
    this.#unindex(pks);
    this.#dropContent(pks);
    this.#db
      .prepare(
        `UPDATE message SET subject = NULL, media_wanted = 0, raw = json_object('id', message_id, 'availability', availability)
       WHERE ${those}`,
      )
      .run(JSON.stringify(pks));
    this.#index(pks);
  }

  mark(pks: readonly number[], availability: string): void {
    this.#unindex(pks);
    this.#db
      .prepare(`UPDATE message SET availability = ?, changed_in = ? WHERE ${those}`)
      .run(availability, this.#runId, JSON.stringify(pks));
    this.#index(pks);
  }

  markMissing(pks: readonly number[], since: string): void {
    this.#unindex(pks);
    this.#db
      .prepare(`UPDATE message SET missing_since = ?, changed_in = ? WHERE ${those}`)
      .run(since, this.#runId, JSON.stringify(pks));
    this.#index(pks);
  }

  #dropContent(pks: readonly number[]): void {
    const list = JSON.stringify(pks);
    this.#db
      .prepare(
        'INSERT OR IGNORE INTO media_garbage SELECT sha256 FROM media WHERE message_pk IN (SELECT value FROM json_each(?))',
      )
      .run(list);
    this.#db.prepare('DELETE FROM media WHERE message_pk IN (SELECT value FROM json_each(?))').run(list);
    this.#db
      .prepare('DELETE FROM message_version WHERE message_pk IN (SELECT value FROM json_each(?))')
      .run(list);
  }

  #index(pks: readonly number[]): void {
    if (pks.length === 0) return;
    this.#db
      .prepare(
        `INSERT INTO message_fts (rowid, subject, sender, recipients, marks)
       SELECT pk, subject, sender, recipients, marks FROM message_words WHERE ${those} ORDER BY pk`,
      )
      .run(JSON.stringify(pks));
  }

  /**
   * Removes messages from the full-text index. Must run before the rows change, because the index needs the old words
   * to delete an entry.
   */
  #unindex(pks: readonly number[]): void {
    if (pks.length === 0) return;
    this.#db
      .prepare(
        `INSERT INTO message_fts (message_fts, rowid, subject, sender, recipients, marks)
       SELECT 'delete', pk, subject, sender, recipients, marks FROM message_words WHERE ${those} ORDER BY pk`,
      )
      .run(JSON.stringify(pks));
  }

  #withKeys(records: readonly MessageColumns[]): { readonly pk: number; readonly record: MessageColumns }[] {
    const wanted = records.map((record) => ({ pk: keyOf(record), record }));
    const taken = new Set(
      (
        this.#db
          .prepare(`SELECT pk FROM message WHERE ${those}`)
          .all(JSON.stringify(wanted.map(({ pk }) => pk))) as { readonly pk: number }[]
      ).map(({ pk }) => pk),
    );
    if (this.#skip.size > mostSkips) this.#skip.clear();
    return wanted.map(({ pk, record }) => {
      const free = this.#freeFrom(pk, taken);
      taken.add(free);
      return { pk: free, record };
    });
  }

  /**
   * Returns the next free key. Used keys are remembered and not checked again, because many messages can have the same
   * millisecond.
   */
  #freeFrom(pk: number, taken: ReadonlySet<number>): number {
    const passed: number[] = [];
    let free = pk;
    for (;;) {
      const next = this.#skip.get(free);
      const isTaken = next !== undefined || taken.has(free) || (free !== pk && this.#isTaken(free));
      if (!isTaken) break;
      passed.push(free);
      free = next ?? free + 1;
    }
    for (const key of passed) this.#skip.set(key, free + 1);
    return free;
  }

  #isTaken(pk: number): boolean {
    return this.#db.prepare('SELECT 1 AS n FROM message WHERE pk = ?').get(pk) !== undefined;
  }

  #isEmpty(): boolean {
    if (this.#empty !== undefined) return this.#empty;
    this.#empty =
      this.#db.prepare('SELECT 1 AS n FROM message WHERE extension_id = ? LIMIT 1').get(this.#extensionId) ===
      undefined;
    this.#startedEmpty = this.#empty;
    return this.#empty;
  }
}

/**
 * Returns the creation time in milliseconds times 1000, which leaves room for a thousand messages in each millisecond.
 */
export function keyOf({ createdAt, id }: Pick<MessageColumns, 'createdAt' | 'id'>): number {
  return createdAt * 1000 + (Number.parseInt(id.slice(-3), 10) || 0);
}

/**
 * Returns the key from which a truncated full sync returned all messages. Messages of the same millisecond as the oldest
 * message may be missing. Later than every message if no message is known to be the oldest.
 */
export function completeFrom(oldestKey: number | null | undefined): number {
  return oldestKey === null || oldestKey === undefined
    ? Number.MAX_SAFE_INTEGER
    : (Math.floor(oldestKey / 1000) + 1) * 1000;
}

function valuesOf(record: MessageColumns): Value[] {
  return readers.map((read) => read(record));
}

/** The columns that the view `message_words` uses. */
const worded = [
  'subject',
  'fromNumber',
  'fromExtension',
  'fromName',
  'toNumbers',
  'toNames',
  'type',
  'direction',
  'readStatus',
  'mediaWanted',
  'availability',
] as const;

function wordsDiffer(known: Known, record: MessageColumns): boolean {
  // An update clears `missing_since`, which is part of the indexed marks.
  return known.missingSince !== null || worded.some((column) => known[column] !== record[column]);
}
