import type { Database } from '../../platform/sqlite.ts';
import { toMessageRow, type MessageRow, type StoredMessage } from './store.ts';
import { addOwners, type MessageOwners } from './owner-condition.ts';
import { readableThread } from '../pager/store.ts';
import { QueryCache, Conditions, type Values } from '../world/sql.ts';

/** The messages of a mailbox that a sync covers. Times in milliseconds, both ends included. */
export interface SyncScope extends MessageOwners {
  readonly types?: readonly string[] | undefined;
  readonly directions?: readonly string[] | undefined;
  readonly conversationId?: string | undefined;
  readonly distinctConversations?: boolean | undefined;
  readonly from: number;
  /** The lowest ID among messages created at `from`, if a recordCount limited the scope there. */
  readonly fromId?: number | undefined;
  /** The end of the scope; undefined for a scope without an end. */
  readonly to?: number | undefined;
}
/** The range of changes of an incremental sync. */
export interface SyncSince {
  /** The sync returns changes with a higher number. */
  readonly changeSequence: number;
  /** The last change that the sync returns. */
  readonly until: number;
  /** The previous scope; messages of the new scope outside of it are new to the client. */
  readonly scope: SyncScope;
}

/** Number of rows that are read in one batch. */
const batch = 500;

/** The queries of message sync. Rows are read in batches, so that memory does not depend on the size of the mailbox. */
export class MessageSyncStore {
  readonly #queries;

  constructor(db: Database) {
    this.#queries = new QueryCache(db);
  }

  /** Yields the messages of a full sync: only messages that are Alive, newest first. */
  *full(extensionId: number, scope: SyncScope): Generator<MessageRow> {
    yield* this.#newestFirst(inScope(extensionId, scope).add("availability = 'Alive'"));
  }

  /**
   * Yields the messages of an incremental sync: first the changed, deleted and purged messages in the order of the
   * changes, then the messages that a changed scope has added.
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

  /** Returns the scope, limited to its newest messages. */
  newest(extensionId: number, scope: SyncScope, count: number): SyncScope {
    const { text, values } = inScope(extensionId, scope).add("availability = 'Alive'");
    const last = this.#queries
      .query<{ id: number; creationTime: number }>(
        `SELECT id, creationTime FROM message ${text} ORDER BY creationTime DESC, id DESC LIMIT 1 OFFSET :offset`,
      )
      .get({ ...values, offset: count - 1 });
    return last ? { ...scope, from: last.creationTime, fromId: last.id } : scope;
  }

  /** Whether the mailbox has older messages that match the scope except for its dates. */
  hasOlder(extensionId: number, scope: SyncScope): boolean {
    const { from, fromId = 0, ...kind } = scope;
    const where = inScope(extensionId, { ...kind, from: 0, to: from }).add("availability = 'Alive'");
    const { text, values } = where.add('(creationTime < :to OR id < :fromId)', { fromId });
    return (
      this.#queries.query<{ n: number }>(`SELECT 1 AS n FROM message ${text} LIMIT 1`).get(values) !==
      undefined
    );
  }

  /** Returns the last change before a time; the next sync repeats later changes. */
  lastChangeBefore(owners: readonly number[], time: number): number {
    const { text, values } = new Conditions()
      .in('extensionId', owners)
      .add('lastModifiedTime < :time', { time });
    const last = this.#queries
      .query<{ changeSequence: number }>(
        `SELECT changeSequence FROM message ${text} ORDER BY changeSequence DESC LIMIT 1`,
      )
      .get(values);
    return last?.changeSequence ?? 0;
  }

  /** Each batch starts after the last row of the previous batch, so that no statement is open between two reads. */
  *#newestFirst(where: Conditions): Generator<MessageRow> {
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

  /** Changes made during the read are returned by the next sync. */
  *#inOrderOfChange(where: Conditions, since: number, until: number): Generator<MessageRow> {
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

/** Conditions for the messages that a scope covers. For `prefix` see `Conditions`. */
function inScope(extensionId: number, scope: SyncScope, prefix?: string): Conditions {
  const { from, fromId, to, conversationId } = scope;
  const where = addOwners(new Conditions(prefix), extensionId, scope).add('creationTime >= :from', { from });
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
  const { owners, voicemailOwners, types, directions, conversationId, distinctConversations } = scope;
  const { from, fromId, to } = scope;
  return [
    owners,
    voicemailOwners,
    types,
    directions,
    conversationId,
    distinctConversations ?? false,
    from,
    fromId,
    to,
  ];
}
