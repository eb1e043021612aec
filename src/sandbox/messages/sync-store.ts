import type { Database } from '../../platform/sqlite.ts';
import { toMessageRow, type MessageRow, type StoredMessage } from './store.ts';
import { readableThread } from '../pager/store.ts';
import { QueryCache, Where, type Value } from '../world/sql.ts';

/** Which messages of a mailbox a sync covers. Times in milliseconds, both ends included. */
export interface SyncFrame {
  readonly types?: readonly string[] | undefined;
  readonly directions?: readonly string[] | undefined;
  readonly conversationId?: string | undefined;
  readonly distinctConversations?: boolean | undefined;
  readonly from: number;
  /** Oldest id among those created at `from`, where a recordCount cut the frame there. */
  readonly fromId?: number | undefined;
  /** Open without. */
  readonly to?: number | undefined;
}
/** What an incremental sync looks for, beside what has come into its frame. */
export interface SyncSince {
  /** Everything after this in the sequence of changes. */
  readonly changeSequence: number;
  /** Nothing after this. */
  readonly until: number;
  /** The frame before; messages of the new frame that were outside of it are new to the client. */
  readonly frame: SyncFrame;
}

/** Rows that are read at once. */
const batch = 500;

/** The queries of message sync. Rows come in batches, so that a mailbox of any size takes the same memory. */
export class MessageSyncStore {
  readonly #queries;

  constructor(db: Database) {
    this.#queries = new QueryCache(db);
  }

  /** What a full sync gives, newest first: only what is Alive. */
  *full(extensionId: number, frame: SyncFrame): Generator<MessageRow> {
    yield* this.#newestFirst(inFrame(extensionId, frame).add("availability = 'Alive'"));
  }

  /**
   * What an incremental sync gives: what changed, in the order of the changes, also what was deleted or purged; then what has come into
   * the frame by changing it.
   */
  *changed(extensionId: number, frame: SyncFrame, since: SyncSince): Generator<MessageRow> {
    yield* this.#inOrderOfChange(inFrame(extensionId, frame), since.changeSequence, since.until);
    if (sameFrame(frame, since.frame)) return;
    const before = inFrame(extensionId, since.frame);
    const newcomers = inFrame(extensionId, frame)
      .add("availability = 'Alive'")
      .add('changeSequence <= ?', since.changeSequence)
      .add(`(${before.text.slice('WHERE '.length)}) IS NOT TRUE`, ...before.values);
    yield* this.#newestFirst(newcomers);
  }

  /** The frame cut to its newest messages. */
  newest(extensionId: number, frame: SyncFrame, count: number): SyncFrame {
    const { text, values } = inFrame(extensionId, frame).add("availability = 'Alive'");
    const last = this.#queries
      .query<{ id: number; creationTime: number }>(
        `SELECT id, creationTime FROM message ${text} ORDER BY creationTime DESC, id DESC LIMIT 1 OFFSET ?`,
      )
      .get(...values, count - 1);
    return last ? { ...frame, from: last.creationTime, fromId: last.id } : frame;
  }

  /** Whether the mailbox has messages of the frame's kind before it. */
  hasOlder(extensionId: number, frame: SyncFrame): boolean {
    const { from, fromId, ...kind } = frame;
    const where = inFrame(extensionId, { ...kind, from: 0, to: from }).add("availability = 'Alive'");
    const { text, values } = where.add('(creationTime < ? OR id < ?)', from, fromId ?? 0);
    return (
      this.#queries.query<{ n: number }>(`SELECT 1 AS n FROM message ${text} LIMIT 1`).get(...values) !==
      undefined
    );
  }

  /** The last change made before a time; later ones are given again by the next sync. */
  lastChangeBefore(extensionId: number, time: number): number {
    const last = this.#queries
      .query<{ changeSequence: number }>(
        `SELECT changeSequence FROM message WHERE extensionId = ? AND lastModifiedTime < ?
         ORDER BY changeSequence DESC LIMIT 1`,
      )
      .get(extensionId, time);
    return last?.changeSequence ?? 0;
  }

  /** Each batch begins after the last row of the one before: nothing stays open between two requests of the reader. */
  *#newestFirst(where: Where): Generator<MessageRow> {
    const sql = `SELECT * FROM message ${where.text} AND (creationTime, id) < (?, ?)
      ORDER BY creationTime DESC, id DESC LIMIT ${batch}`;
    let after: readonly Value[] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    for (;;) {
      const rows = this.#queries.query<StoredMessage>(sql).all(...where.values, ...after);
      for (const row of rows) yield toMessageRow(row);
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      after = [last.creationTime, last.id];
    }
  }

  /** What changes while the reader reads is left to the next sync. */
  *#inOrderOfChange(where: Where, since: number, until: number): Generator<MessageRow> {
    const sql = `SELECT * FROM message INDEXED BY messageByChange ${where.text} AND changeSequence > ? AND changeSequence <= ?
      ORDER BY changeSequence LIMIT ${batch}`;
    let after = since;
    for (;;) {
      const rows = this.#queries.query<StoredMessage>(sql).all(...where.values, after, until);
      for (const row of rows) yield toMessageRow(row);
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      after = last.changeSequence;
    }
  }
}

function inFrame(extensionId: number, frame: SyncFrame): Where {
  const where = new Where().add('extensionId = ?', extensionId).add('creationTime >= ?', frame.from);
  if (frame.fromId !== undefined) where.add('(creationTime > ? OR id >= ?)', frame.from, frame.fromId);
  if (frame.to !== undefined) where.add('creationTime <= ?', frame.to);
  where.in('type', frame.types).in('direction', frame.directions);
  if (frame.conversationId !== undefined) where.add('conversationId = ?', frame.conversationId);
  if (frame.distinctConversations) {
    where.add(`(conversationId IS NULL OR NOT EXISTS (SELECT 1 FROM message AS later
      WHERE later.extensionId = message.extensionId AND later.conversationId = message.conversationId
      AND later.availability = 'Alive' AND later.id > message.id))`);
  }
  return where.add(readableThread);
}

function sameFrame(a: SyncFrame, b: SyncFrame): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

function canonical(frame: SyncFrame): readonly unknown[] {
  const { types, directions, conversationId, distinctConversations, from, fromId, to } = frame;
  return [types, directions, conversationId, distinctConversations ?? false, from, fromId, to];
}
