import type { Database } from '../../platform/sqlite.ts';
import { toMessageRow, type MessageRow, type StoredMessage } from './store.ts';
import { readableThread } from '../pager/store.ts';
import { QueryCache, Where, type Values } from '../world/sql.ts';

/** Which messages of a mailbox a sync covers. Times in milliseconds, both ends included. */
export interface SyncScope {
  readonly types?: readonly string[] | undefined;
  readonly directions?: readonly string[] | undefined;
  readonly conversationId?: string | undefined;
  readonly distinctConversations?: boolean | undefined;
  readonly from: number;
  /** Oldest id among those created at `from`, where a recordCount cut the scope there. */
  readonly fromId?: number | undefined;
  /** Open without. */
  readonly to?: number | undefined;
}
/** What an incremental sync looks for, beside what has come into its scope. */
export interface SyncSince {
  /** Everything after this in the sequence of changes. */
  readonly changeSequence: number;
  /** Nothing after this. */
  readonly until: number;
  /** The scope before; messages of the new scope that were outside of it are new to the client. */
  readonly scope: SyncScope;
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
  *full(extensionId: number, scope: SyncScope): Generator<MessageRow> {
    yield* this.#newestFirst(inScope(extensionId, scope).add("availability = 'Alive'"));
  }

  /**
   * What an incremental sync gives: what changed, in the order of the changes, also what was deleted or purged; then what has come into
   * the scope by changing it.
   */
  *changed(extensionId: number, scope: SyncScope, since: SyncSince): Generator<MessageRow> {
    yield* this.#inOrderOfChange(inScope(extensionId, scope), since.changeSequence, since.until);
    if (sameScope(scope, since.scope)) return;
    const before = inScope(extensionId, since.scope, 'before_');
    const newcomers = inScope(extensionId, scope)
      .add("availability = 'Alive'")
      .add('changeSequence <= :changeSequence', { changeSequence: since.changeSequence })
      .add(`(${before.condition}) IS NOT TRUE`, before.values);
    yield* this.#newestFirst(newcomers);
  }

  /** The scope cut to its newest messages. */
  newest(extensionId: number, scope: SyncScope, count: number): SyncScope {
    const { text, values } = inScope(extensionId, scope).add("availability = 'Alive'");
    const last = this.#queries
      .query<{ id: number; creationTime: number }>(
        `SELECT id, creationTime FROM message ${text} ORDER BY creationTime DESC, id DESC LIMIT 1 OFFSET :offset`,
      )
      .get({ ...values, offset: count - 1 });
    return last ? { ...scope, from: last.creationTime, fromId: last.id } : scope;
  }

  /** Whether the mailbox has messages of the scope's kind before it. */
  hasOlder(extensionId: number, scope: SyncScope): boolean {
    const { from, fromId = 0, ...kind } = scope;
    const where = inScope(extensionId, { ...kind, from: 0, to: from }).add("availability = 'Alive'");
    const { text, values } = where.add('(creationTime < :to OR id < :fromId)', { fromId });
    return (
      this.#queries.query<{ n: number }>(`SELECT 1 AS n FROM message ${text} LIMIT 1`).get(values) !==
      undefined
    );
  }

  /** The last change made before a time; later ones are given again by the next sync. */
  lastChangeBefore(extensionId: number, time: number): number {
    const last = this.#queries
      .query<{ changeSequence: number }>(
        `SELECT changeSequence FROM message WHERE extensionId = :extensionId AND lastModifiedTime < :time
         ORDER BY changeSequence DESC LIMIT 1`,
      )
      .get({ extensionId, time });
    return last?.changeSequence ?? 0;
  }

  /** Each batch begins after the last row of the one before: nothing stays open between two requests of the reader. */
  *#newestFirst(where: Where): Generator<MessageRow> {
    const sql = `SELECT * FROM message ${where.text} AND (creationTime, id) < (:lastTime, :lastId)
      ORDER BY creationTime DESC, id DESC LIMIT ${batch}`;
    let after: Values = { lastTime: Number.MAX_SAFE_INTEGER, lastId: Number.MAX_SAFE_INTEGER };
    for (;;) {
      const rows = this.#queries.query<StoredMessage>(sql).all({ ...where.values, ...after });
      for (const row of rows) yield toMessageRow(row);
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      after = { lastTime: last.creationTime, lastId: last.id };
    }
  }

  /** What changes while the reader reads is left to the next sync. */
  *#inOrderOfChange(where: Where, since: number, until: number): Generator<MessageRow> {
    const sql = `SELECT * FROM message INDEXED BY messageByChange ${where.text} AND changeSequence > :after AND changeSequence <= :until
      ORDER BY changeSequence LIMIT ${batch}`;
    let after = since;
    for (;;) {
      const rows = this.#queries.query<StoredMessage>(sql).all({ ...where.values, after, until });
      for (const row of rows) yield toMessageRow(row);
      const last = rows.at(-1);
      if (!last || rows.length < batch) return;
      after = last.changeSequence;
    }
  }
}

/** The messages that a scope covers; `prefix` as in `Where`. */
function inScope(extensionId: number, scope: SyncScope, prefix?: string): Where {
  const { from, fromId, to, conversationId } = scope;
  const where = new Where(prefix)
    .add('extensionId = :extensionId', { extensionId })
    .add('creationTime >= :from', { from });
  if (fromId !== undefined) where.add('(creationTime > :from OR id >= :fromId)', { from, fromId });
  if (to !== undefined) where.add('creationTime <= :to', { to });
  where.in('type', scope.types).in('direction', scope.directions);
  if (conversationId !== undefined) where.add('conversationId = :conversationId', { conversationId });
  if (scope.distinctConversations) {
    where.add(`(conversationId IS NULL OR NOT EXISTS (SELECT 1 FROM message AS later
      WHERE later.extensionId = message.extensionId AND later.conversationId = message.conversationId
      AND later.availability = 'Alive' AND later.id > message.id))`);
  }
  return where.add(readableThread);
}

function sameScope(a: SyncScope, b: SyncScope): boolean {
  return JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
}

function canonical(scope: SyncScope): readonly unknown[] {
  const { types, directions, conversationId, distinctConversations, from, fromId, to } = scope;
  return [types, directions, conversationId, distinctConversations ?? false, from, fromId, to];
}
