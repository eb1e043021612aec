import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type {
  ExportMedia,
  ExportRow,
  ExportState,
  ExportThread,
  Selection,
  ThreadPlace,
} from '../../../store/export-row.ts';
import type { Mailbox, Stream, StreamStatus, SyncScope } from '../../../store/mailbox.ts';
import type {
  AuditEntry,
  Check,
  CopiedMessage,
  ExcludableRecord,
  Found,
  MessageStore,
  MissingMedia,
  QueryResult,
  ReadTime,
  SavedMedia,
  SaveResult,
  Traces,
} from '../../../store/message-store.ts';
import type {
  ApplySettings,
  OnDelete,
  ReplySink,
  StoredOnDelete,
  SyncCounts,
  SyncInfo,
  SyncProblem,
} from '../../../store/reply.ts';
import { ExportRunningError } from '../export/state.ts';
import { applyReply, settleProblem, type CommitGuard } from './apply.ts';
import { aliveIds, checkTables, copiedMessages, sampleMessages } from './check.ts';
import {
  hasIgnoredPurge,
  removableCount,
  saveOnDelete,
  storedOnDelete,
  taskPolicies,
} from './deletion-policy.ts';
import { eraseNumber, tracesOf } from './erased.ts';
import { excludedMessage, isErasedOf, readExclusions } from './exclusions.ts';
import {
  changedAfter,
  mediaOf,
  positionOf,
  readExportState,
  saveExportState,
  threadOf,
  threadRows,
  threadsOf,
} from './export.ts';
import { deleteGarbage, forgetMedia, mediaHashes, missingMedia, saveMedia } from './media-table.ts';
import { queryPostgres } from './query.ts';
import { repairColumns } from './repair-columns.ts';
import { retentionWarnings } from './retention.ts';
import { searchMessages, selectMessages } from './search.ts';
import { TargetLocks } from './target-locks.ts';
import { allStreams, mirrorStatus, openStream, ownMailbox, saveMailboxes } from './streams.ts';
import type { Hint } from '../../../errors/hint.ts';

/** Messages in a PostgreSQL database, which several machines may use at the same time. */
export class PostgresMessages implements MessageStore {
  readonly location: string;
  readonly #db: Postgres;
  readonly #guard: CommitGuard | undefined;
  readonly #locks: TargetLocks;

  constructor(db: Postgres, guard?: CommitGuard) {
    this.#db = db;
    this.#guard = guard;
    this.#locks = new TargetLocks(db);
    this.location = db.settings.place;
  }

  async size(): Promise<number> {
    const [row] = await this.#db.query<{ bytes: number }>(
      "select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes from pg_class where relnamespace = to_regnamespace($1) and relkind = 'r'",
      [this.#db.settings.schema],
    );
    return row?.bytes ?? 0;
  }

  syncing<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  saveMailboxes(mailboxes: readonly Mailbox[]): Promise<void> {
    return saveMailboxes(this.#db, mailboxes);
  }

  ownMailbox(): Promise<Mailbox | undefined> {
    return ownMailbox(this.#db);
  }

  onDelete(): Promise<StoredOnDelete | undefined> {
    return storedOnDelete(this.#db);
  }

  hasIgnoredPurge(): Promise<boolean> {
    return hasIgnoredPurge(this.#db);
  }

  taskPolicies(): Promise<readonly OnDelete[]> {
    return taskPolicies(this.#db);
  }

  saveOnDelete(policy: StoredOnDelete): Promise<void> {
    return saveOnDelete(this.#db, policy);
  }

  removable(extensionIds: readonly string[]): Promise<number> {
    return removableCount(this.#db, extensionIds);
  }

  openStream(extensionId: string, scope: SyncScope, dateFrom?: string): Promise<Stream> {
    return openStream(this.#db, extensionId, scope, dateFrom);
  }

  streams(): Promise<readonly Stream[]> {
    return allStreams(this.#db);
  }

  status(now: number): Promise<readonly StreamStatus[]> {
    return mirrorStatus(this.#db, now);
  }

  retentionWarnings(now: number): Promise<readonly Hint[]> {
    return retentionWarnings(this.#db, now);
  }

  apply<T extends SyncInfo>(
    stream: Stream,
    settings: ApplySettings,
    read: (sink: ReplySink) => Promise<T>,
  ): Promise<{ readonly counts: SyncCounts; readonly info: T }> {
    const target = { db: this.#db, guard: this.#guard };
    return applyReply(target, { stream, settings }, read);
  }

  /** Each message contains its words, which `repairColumns` compares. */
  repairIndex(): Promise<boolean> {
    return Promise.resolve(false);
  }

  repairColumns(extensionId: string, signal: AbortSignal): Promise<number> {
    return repairColumns({ db: this.#db, guard: this.#guard }, extensionId, signal);
  }

  problems(): Promise<readonly SyncProblem[]> {
    return this.#db.query<SyncProblem>(
      `select error_id as "problemId", stream_id as "streamId", extension_id as "extensionId", message_id as "messageId", problem
       from sync_error order by error_id`,
    );
  }

  settle(
    problem: SyncProblem,
    stream: Stream,
    text: string | undefined,
    settings: ApplySettings,
  ): Promise<'copied' | 'not found' | 'failed'> {
    return settleProblem(this.#db, { problem, stream, text }, settings);
  }

  search(text: string, limit: number, readTime: ReadTime): Promise<readonly Found[]> {
    return searchMessages(this.#db, text, limit, readTime);
  }

  select(filter: string, readTime: ReadTime): Selection {
    return selectMessages(filter, readTime);
  }

  query(statement: string, signal?: AbortSignal): Promise<QueryResult> {
    return queryPostgres(this.#db, statement, signal);
  }

  position(): Promise<number> {
    return positionOf(this.#db);
  }

  changedAfter(position: number, selection: Selection): AsyncIterable<ExportRow> {
    return changedAfter(this.#db, position, selection);
  }

  threads(selection: Selection): AsyncIterable<ExportThread> {
    return threadsOf(this.#db, selection);
  }

  threadOf(mailbox: string, messageId: string): Promise<ThreadPlace | undefined> {
    return threadOf(this.#db, mailbox, messageId);
  }

  threadMessages(thread: ThreadPlace, selection: Selection): AsyncIterable<ExportRow> {
    return threadRows(this.#db, thread, selection);
  }

  attachments(pk: number): Promise<readonly ExportMedia[]> {
    return mediaOf(this.#db, pk);
  }

  copied(extensionId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CopiedMessage>> {
    return copiedMessages(this.#db, extensionId, ids);
  }

  aliveIds(stream: Stream): AsyncIterable<string> {
    return aliveIds(this.#db, stream);
  }

  sample(count: number): Promise<readonly CopiedMessage[]> {
    return sampleMessages(this.#db, count);
  }

  check(): Promise<readonly Check[]> {
    return checkTables(this.#db);
  }

  missingMedia(extensionId: string): AsyncGenerator<MissingMedia, void, undefined> {
    return missingMedia(this.#db, extensionId);
  }

  saveMedia(media: SavedMedia, isStored: () => Promise<boolean>): Promise<SaveResult> {
    return this.#db.transaction(async (transaction) => {
      await this.#guard?.(transaction);
      return saveMedia(transaction, media, isStored);
    });
  }

  mediaHashes(extensionId?: string): AsyncIterable<string> {
    return mediaHashes(this.#db, extensionId);
  }

  async isMediaUsed(sha256: string): Promise<boolean> {
    return (await this.#db.query('select 1 from media where sha256 = $1 limit 1', [sha256])).length > 0;
  }

  forgetMedia(sha256: string, extensionId: string, remove: () => Promise<void>): Promise<number> {
    return this.#db.transaction((transaction) => forgetMedia(transaction, { sha256, extensionId }, remove));
  }

  async mediaGarbage(): Promise<readonly string[]> {
    const rows = await this.#db.query<{ sha256: string }>('select sha256 from media_garbage order by sha256');
    return rows.map(({ sha256 }) => sha256);
  }

  deleteGarbage(sha256: string, remove: () => Promise<void>): Promise<void> {
    return this.#db.transaction((transaction) => deleteGarbage(transaction, sha256, remove));
  }

  exportState(target: Pick<ExportState, 'target' | 'format' | 'filter'>): Promise<ExportState | undefined> {
    return readExportState(this.#db, target);
  }

  saveExportState(state: ExportState, line?: AuditEntry): Promise<void> {
    return saveExportState(this.#db, state, line);
  }

  async exporting<T>(target: string, work: () => Promise<T>): Promise<T> {
    const done = await this.#locks.run(`export ${target}`, work);
    if (!done) throw new ExportRunningError(target);
    return done.value;
  }

  async copyingMedia<T>(extensionId: string, work: () => Promise<T>): Promise<T | undefined> {
    return (await this.#locks.run(`media ${extensionId}`, work))?.value;
  }

  traces(number: string): Promise<Traces> {
    return tracesOf(this.#db, number);
  }

  erase(number: string, now: number): Promise<void> {
    return eraseNumber(this.#db, number, now);
  }

  async erasedNumbers(): Promise<(numbers: readonly string[]) => boolean> {
    return isErasedOf(await readExclusions(this.#db));
  }

  async excluded(extensionId: string): Promise<(record: ExcludableRecord) => boolean> {
    return excludedMessage(await readExclusions(this.#db), extensionId);
  }
}
