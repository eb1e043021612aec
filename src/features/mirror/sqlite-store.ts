import { closeSync, existsSync, fdatasyncSync, openSync, statSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ExportMedia,
  ExportRow,
  ExportState,
  ExportThread,
  Selection,
  ThreadPlace,
} from '../../store/export-row.ts';
import type { Mailbox, Stream, StreamStatus, SyncScope } from '../../store/mailbox.ts';
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
} from '../../store/message-store.ts';
import type {
  ApplySettings,
  OnDelete,
  ReplySink,
  StoredOnDelete,
  SyncCounts,
  SyncInfo,
  SyncProblem,
} from '../../store/reply.ts';
import { named } from '../../platform/database-error.ts';
import { CachedStatements } from '../../platform/cached-statements.ts';
import type { Database } from '../../platform/sqlite.ts';
import { addAuditLine } from './audit-line.ts';
import { eraseNumber, tracesOf } from './erase.ts';
import { erasedCheck, erasedNumbers } from './erased.ts';
import { changedAfter, latestRun, mediaOf, threadOf, threadRows, threadsOf } from './export/row.ts';
import { readExportState, saveExportState } from './export/state.ts';
import { changedMailboxes, mirrorStatus, saveMailbox, storedOwnMailbox } from './mailboxes.ts';
import { isIndexError } from './index-error.ts';
import { nextRun } from './next-run.ts';
import { OvertakenError } from './overtaken.ts';
import { repairPage, type RepairedPage } from './repair-columns.ts';
import { ReplyWriter } from './reply-writer.ts';
import { retentionWarnings } from './retention.ts';
import { foundKeys, searchMessages } from './search.ts';
import { aliveIds, checkDatabase, copiedMessages, repairIndex, sampleMessages } from './sqlite-check.ts';
import { hasIgnoredPurge, removableCount, saveOnDelete, storedOnDelete } from './sqlite-deletion-policy.ts';
import { deleteGarbage, forgetMedia, mediaHashes, missingMedia, saveMedia } from './sqlite-media.ts';
import { problemsOf, settleProblem } from './sqlite-problems.ts';
import { querySqlite } from './sqlite-query.ts';
import { allStreams, openStream, storedStream } from './streams.ts';
import { WriteQueue } from './write-queue.ts';
import type { Hint } from '../../errors/hint.ts';

/**
 * The copy in an SQLite file. The statements are synchronous. A reply is written while it arrives, so all writes go
 * through a queue.
 */
export class SqliteMessages implements MessageStore {
  readonly location: string;
  readonly #db: Database;
  /** Statements that run for each mailbox. */
  readonly #cached: CachedStatements;
  readonly #writes: WriteQueue;
  readonly #onIndexRepaired: () => void;
  #isIndexRepaired = false;

  /** @param onIndexRepaired called after the full-text index, which another program changed, was written again */
  constructor(db: Database, file: string, onIndexRepaired: () => void = () => undefined) {
    this.#onIndexRepaired = onIndexRepaired;
    this.#db = db;
    this.#cached = new CachedStatements(db);
    this.#writes = new WriteQueue(db);
    this.location = file;
  }

  size(): Promise<number> {
    return Promise.resolve(statSync(this.location).size);
  }

  async syncing<T>(work: () => Promise<T>): Promise<T> {
    this.#db.exec('PRAGMA synchronous = NORMAL');
    try {
      const result = await work();
      syncLog(this.location);
      return result;
    } finally {
      this.#db.exec('PRAGMA synchronous = FULL');
    }
  }

  async saveMailboxes(mailboxes: readonly Mailbox[]): Promise<void> {
    const changed = changedMailboxes(this.#db, mailboxes);
    if (changed.length === 0) return;
    await this.#writes.add(() => {
      for (const mailbox of changed) saveMailbox(this.#cached, mailbox);
    });
  }

  ownMailbox(): Promise<Mailbox | undefined> {
    return Promise.resolve(storedOwnMailbox(this.#db));
  }

  onDelete(): Promise<StoredOnDelete | undefined> {
    return Promise.resolve(storedOnDelete(this.#db));
  }

  hasIgnoredPurge(): Promise<boolean> {
    return Promise.resolve(hasIgnoredPurge(this.#db));
  }

  /** The tasks of the fleet use only the PostgreSQL store. */
  taskPolicies(): Promise<readonly OnDelete[]> {
    return Promise.resolve([]);
  }

  saveOnDelete(policy: StoredOnDelete): Promise<void> {
    return this.#writes.add(() => saveOnDelete(this.#db, policy));
  }

  removable(extensionIds: readonly string[]): Promise<number> {
    return Promise.resolve(removableCount(this.#db, extensionIds));
  }

  openStream(extensionId: string, scope: SyncScope, dateFrom?: string): Promise<Stream> {
    return Promise.resolve(openStream(this.#cached, extensionId, scope, dateFrom));
  }

  streams(): Promise<readonly Stream[]> {
    return Promise.resolve(allStreams(this.#db));
  }

  status(now: number): Promise<readonly StreamStatus[]> {
    return Promise.resolve(mirrorStatus(this.#db, now));
  }

  retentionWarnings(now: number): Promise<readonly Hint[]> {
    return Promise.resolve(retentionWarnings(this.#db, now));
  }

  async apply<T extends SyncInfo>(
    stream: Stream,
    settings: ApplySettings,
    read: (sink: ReplySink) => Promise<T>,
  ): Promise<{ readonly counts: SyncCounts; readonly info: T }> {
    try {
      return await this.#writes.add(async () => {
        const stored = storedStream(this.#cached, stream);
        const writer = new ReplyWriter(this.#cached, stored, { ...settings, runId: nextRun(this.#cached) });
        const info = await read(writer);
        return { counts: writer.finish(info), info };
      });
    } catch (error) {
      if (!(await this.#repairsAfter(error))) throw error;
      // The reply was read, so it must be requested again.
      throw new OvertakenError(
        `the reply for mailbox ${stream.extensionId}`,
        'the full-text index was written again',
      );
    }
  }

  async repairIndex(): Promise<boolean> {
    const isRepaired = await this.#writes.add(() => repairIndex(this.#db));
    if (isRepaired) this.#onIndexRepaired();
    this.#isIndexRepaired ||= isRepaired;
    return isRepaired;
  }

  /** Runs a write, and runs it again if it first failed because of the full-text index. */
  async #withIndex<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (!(await this.#repairsAfter(error))) throw error;
      return write();
    }
  }

  /**
   * Repairs the full-text index if a write failed because another program changed the index or its columns.
   * @returns whether the write can be repeated; also if another write of this run has repaired the index meanwhile
   */
  async #repairsAfter(error: unknown): Promise<boolean> {
    return isIndexError(error) && ((await this.repairIndex()) || this.#isIndexRepaired);
  }

  async repairColumns(extensionId: string, signal: AbortSignal): Promise<number> {
    let changed = 0;
    for (let after: string | undefined = ''; after !== undefined && !signal.aborted;) {
      const from: string = after;
      const page: RepairedPage = await this.#writes.add(() => repairPage(this.#cached, extensionId, from));
      changed += page.changed;
      after = page.last;
      // Statements are synchronous, so events such as Ctrl-C arrive only in another turn of the event loop.
      await nextTurn();
    }
    return changed;
  }

  problems(): Promise<readonly SyncProblem[]> {
    return Promise.resolve(problemsOf(this.#db));
  }

  settle(
    problem: SyncProblem,
    stream: Stream,
    text: string | undefined,
    settings: ApplySettings,
  ): Promise<'copied' | 'not found' | 'failed'> {
    return this.#withIndex(() =>
      this.#writes.alone(() => settleProblem({ db: this.#db, problem, stream, text }, settings)),
    );
  }

  search(text: string, limit: number, readTime: ReadTime): Promise<Iterable<Found>> {
    return Promise.resolve(searchMessages(this.#db, text, limit, readTime));
  }

  select(filter: string, readTime: ReadTime): Selection {
    const { sql, values } = foundKeys(filter, readTime);
    return { filter, sql: `message.pk IN (${sql})`, values };
  }

  query(statement: string): Promise<QueryResult> {
    return Promise.resolve(querySqlite(this.#db, statement));
  }

  position(): Promise<number> {
    return Promise.resolve(latestRun(this.#db));
  }

  changedAfter(position: number, selection: Selection): Iterable<ExportRow> {
    return changedAfter(this.#db, position, selection);
  }

  threads(selection: Selection): Iterable<ExportThread> {
    return threadsOf(this.#db, selection);
  }

  threadOf(mailbox: string, messageId: string): Promise<ThreadPlace | undefined> {
    return Promise.resolve(threadOf(this.#db, mailbox, messageId));
  }

  threadMessages(thread: ThreadPlace, selection: Selection): Iterable<ExportRow> {
    return threadRows(this.#db, thread, selection);
  }

  attachments(pk: number): Promise<readonly ExportMedia[]> {
    return Promise.resolve(mediaOf(this.#db, pk));
  }

  copied(extensionId: string, ids: readonly string[]): Promise<ReadonlyMap<string, CopiedMessage>> {
    return Promise.resolve(copiedMessages(this.#db, extensionId, ids));
  }

  aliveIds(stream: Stream): Iterable<string> {
    return aliveIds(this.#db, stream);
  }

  sample(count: number): Promise<readonly CopiedMessage[]> {
    return Promise.resolve(sampleMessages(this.#db, count));
  }

  check(): Promise<readonly Check[]> {
    return Promise.resolve(checkDatabase(this.#db, this.location));
  }

  async *missingMedia(extensionId: string): AsyncGenerator<MissingMedia, void, undefined> {
    yield* missingMedia(this.#db, extensionId);
  }

  saveMedia(media: SavedMedia, isStored: () => Promise<boolean>): Promise<SaveResult> {
    return this.#writes.add(async () =>
      (await isStored()) ? saveMedia(this.#db, media) : 'content deleted',
    );
  }

  mediaHashes(extensionId?: string): Iterable<string> {
    return mediaHashes(this.#db, extensionId);
  }

  isMediaUsed(sha256: string): Promise<boolean> {
    const row = this.#db.prepare('SELECT 1 AS n FROM media WHERE sha256 = ? LIMIT 1').get(sha256);
    return Promise.resolve(row !== undefined);
  }

  forgetMedia(sha256: string, extensionId: string, remove: () => Promise<void>): Promise<number> {
    return this.#writes.alone(() => forgetMedia(this.#db, { sha256, extensionId }, remove));
  }

  mediaGarbage(): Promise<readonly string[]> {
    const rows = this.#cached.prepare('SELECT sha256 FROM media_garbage').all() as {
      readonly sha256: string;
    }[];
    return Promise.resolve(rows.map(({ sha256 }) => sha256));
  }

  deleteGarbage(sha256: string, remove: () => Promise<void>): Promise<void> {
    return this.#writes.alone(() => deleteGarbage(this.#db, sha256, remove));
  }

  async exportState(
    target: Pick<ExportState, 'target' | 'format' | 'filter'>,
  ): Promise<ExportState | undefined> {
    return readExportState(this.#db, target);
  }

  saveExportState(state: ExportState, line?: AuditEntry): Promise<void> {
    return this.#writes.add(() => {
      saveExportState(this.#db, state);
      if (line) addAuditLine(this.#db, line);
    });
  }

  /** The lock of the file permits only one sync at a time. */
  copyingMedia<T>(_extensionId: string, work: () => Promise<T>): Promise<T | undefined> {
    return work();
  }

  /** The lock of the file permits only one export at a time. */
  exporting<T>(_target: string, work: () => Promise<T>): Promise<T> {
    return work();
  }

  traces(number: string): Promise<Traces> {
    return Promise.resolve(tracesOf(this.#db, number));
  }

  erase(number: string, now: number): Promise<void> {
    return this.#withIndex(() =>
      this.#writes.alone(() => eraseNumber({ db: this.#db, file: this.location }, number, now)),
    );
  }

  erasedNumbers(): Promise<(numbers: readonly string[]) => boolean> {
    return Promise.resolve(erasedNumbers(this.#db));
  }

  excluded(): Promise<(record: ExcludableRecord) => boolean> {
    return Promise.resolve(erasedCheck(this.#db));
  }
}

/** Waits until the write-ahead log of a database is on disk. @throws {DatabaseError} if the disk cannot store it. */
function syncLog(file: string): void {
  const path = `${file}-wal`;
  if (!existsSync(path)) return;
  try {
    const log = openSync(path, 'r+');
    try {
      fdatasyncSync(log);
    } finally {
      closeSync(log);
    }
  } catch (error) {
    throw named(error, file);
  }
}
