import type { CachedStatements } from '../../platform/cached-statements.ts';
import { insertText } from '../../platform/named-statement.ts';
import { erasedCheck } from './erased.ts';
import type { Stream } from '../../store/mailbox.ts';
import type { ApplySettings, ReplySink, SyncCounts, SyncInfo } from '../../store/reply.ts';
import { type Gone, goneMessages } from './gone.ts';
import { completeFrom, MessageTable, type Known } from './message-table.ts';
import { BadRecordError, type MessageColumns, readRecord, type Tombstone } from './record.ts';

/** Settings of one reply, and the number of the run that stores it. */
export interface WriteSettings extends ApplySettings {
  readonly runId: number;
}

/** Number of records per batch: large enough for cheap lookups and indexing, small enough for memory. */
const batchSize = 2000;

const problemInsert = insertText('sync_error', [
  'stream_id',
  'extension_id',
  'message_id',
  'problem',
  'seen_at',
]);
/** The records that a full sync returns again, or can no longer return. A cut reply does not contain the oldest records. */
const oldProblemsDelete = `DELETE FROM sync_error WHERE stream_id = :streamId AND error_id <= :last
  AND (:cut = 0 OR message_id IS NULL OR message_id IN
    (SELECT message_id FROM sync_error WHERE stream_id = :streamId AND error_id > :last))`;
/** A record that cannot be read still shows that the service has its message. */
const unreadableSeen = `UPDATE message SET seen_in = :runId WHERE extension_id = :extensionId AND message_id IN
  (SELECT message_id FROM sync_error WHERE stream_id = :streamId AND error_id > :last)`;
const runInsert = insertText('run', ['run_id', 'stream_id', 'sync_type', 'repair', 'ended_at', 'counts']);
const streamUpdate = `UPDATE stream SET sync_token = :syncToken, sync_time = :syncTime,
  full_sync_time = CASE :full WHEN 1 THEN :syncTime ELSE full_sync_time END,
  older_records = CASE :full WHEN 1 THEN coalesce(:olderRecords, older_records)
    ELSE min(older_records, coalesce(:olderRecords, older_records)) END WHERE stream_id = :streamId`;

/** Writes one reply into the copy, in batches within the transaction of the caller. */
export class ReplyWriter implements ReplySink {
  readonly #db: CachedStatements;
  readonly #stream: Stream;
  readonly #settings: WriteSettings;
  readonly #table: MessageTable;
  readonly #gone: Gone;
  readonly #isErased: (record: MessageColumns) => boolean;
  /** Key of the last problem of earlier replies. */
  readonly #lastProblem: number;
  readonly #counts = {
    received: 0,
    added: 0,
    changed: 0,
    unchanged: 0,
    deleted: 0,
    purged: 0,
    vanished: 0,
    errors: 0,
  };
  #texts: string[] = [];
  #oldestPk: number | undefined;

  constructor(db: CachedStatements, stream: Stream, settings: WriteSettings) {
    this.#db = db;
    this.#stream = stream;
    this.#settings = settings;
    this.#table = new MessageTable(db, stream.extensionId, settings.runId);
    this.#gone = goneMessages(db, this.#table, settings.onDelete);
    this.#isErased = erasedCheck(db);
    this.#lastProblem =
      db.named<{ last: number }>('SELECT coalesce(max(error_id), 0) AS last FROM sync_error').get()?.last ??
      0;
  }

  records(texts: readonly string[]): void {
    this.#counts.received += texts.length;
    for (const text of texts) this.#texts.push(text);
    if (this.#texts.length >= batchSize) this.#flush();
  }

  problem(messageId: string | undefined, problem: string): void {
    this.#counts.errors += 1;
    this.#db.named(problemInsert).run({
      stream_id: this.#stream.streamId,
      extension_id: this.#stream.extensionId,
      message_id: messageId ?? null,
      problem,
      seen_at: this.#settings.now,
    });
  }

  /** Writes the last batch, handles vanished messages and stores the token. Must be the last step before the commit. */
  finish(info: SyncInfo): SyncCounts {
    this.#flush();
    const { streamId, extensionId } = this.#stream;
    const { full, isPersonal, now, runId } = this.#settings;
    if (full) {
      this.#db.named(unreadableSeen).run({ runId, extensionId, streamId, last: this.#lastProblem });
      const cut = info.isCut ?? false;
      const oldestPk = cut ? completeFrom(this.#oldestPk) : Date.parse(this.#stream.dateFrom) * 1000;
      const vanished = this.#table.unseen(this.#stream, oldestPk, isPersonal);
      this.#counts.vanished = vanished.length;
      this.#gone.vanished(vanished, now);
      this.#dropOldProblems(cut);
    }
    const hasRemoved = this.#settings.onDelete === 'purge' && this.#removeMarked();
    this.#db.named(streamUpdate).run({
      syncToken: info.syncToken,
      syncTime: info.syncTime ?? now,
      full: Number(full),
      olderRecords: info.olderRecordsExist === undefined ? null : Number(info.olderRecordsExist),
      streamId,
    });
    if (this.#counts.received > 0 || full || hasRemoved) this.#recordRun();
    return { ...this.#counts };
  }

  /** Writes the last batch without a token, for records that were not part of a sync reply. */
  flush(): SyncCounts {
    this.#flush();
    return { ...this.#counts };
  }

  #dropOldProblems(cut: boolean): void {
    const { streamId } = this.#stream;
    this.#db.named(oldProblemsDelete).run({ streamId, last: this.#lastProblem, cut: Number(cut) });
  }

  /** Removes and counts messages that an earlier policy retained. @returns whether there were any. */
  #removeMarked(): boolean {
    const { deleted, purged, vanished } = this.#gone.removeMarked(this.#stream.extensionId);
    this.#counts.deleted += deleted;
    this.#counts.purged += purged;
    this.#counts.vanished += vanished;
    return deleted + purged + vanished > 0;
  }

  #recordRun(): void {
    const { runId, full, now } = this.#settings;
    this.#db.named(runInsert).run({
      run_id: runId,
      stream_id: this.#stream.streamId,
      sync_type: full ? 'FSync' : 'ISync',
      repair: Number(full && this.#stream.syncToken !== undefined),
      ended_at: now,
      counts: JSON.stringify(this.#counts),
    });
  }

  #flush(): void {
    const texts = this.#texts;
    this.#texts = [];
    const records = this.#read(texts);
    const known = this.#table.known([...records.keys()]);
    const fresh: MessageColumns[] = [];
    const changed: { readonly known: Known; readonly record: MessageColumns }[] = [];
    const same: number[] = [];
    for (const [id, record] of records) {
      const before = known.get(id);
      if (
        record.kind === 'tombstone' ||
        (record.availability !== 'Alive' && this.#settings.onDelete === 'purge')
      ) {
        this.#tombstone(before, record);
      } else if (this.#isErased(record)) {
        if (before) this.#table.remove([before.pk]);
      } else if (!before) {
        fresh.push(record);
      } else if (this.#supersedes(record, before)) {
        changed.push({ known: before, record });
      } else {
        same.push(before.pk);
      }
    }
    const added = this.#table.insert(fresh);
    this.#table.update(changed);
    if (this.#settings.full) this.#table.seen(same);
    this.#counts.added += fresh.length;
    this.#counts.changed += changed.length;
    this.#counts.unchanged += same.length;
    this.#remember([...added, ...changed.map(({ known: { pk } }) => pk), ...same]);
  }

  /** Returns the records by ID. A reply can contain a record twice; the newer record is used. */
  #read(texts: readonly string[]): ReadonlyMap<string, MessageColumns | Tombstone> {
    const records = new Map<string, MessageColumns | Tombstone>();
    for (const text of texts) {
      try {
        const record = readRecord(text);
        const before = records.get(record.id);
        if (before?.kind === 'message' && record.kind === 'message' && isOlder(record, before)) continue;
        records.set(record.id, record);
      } catch (error) {
        if (!(error instanceof BadRecordError)) throw error;
        this.problem(error.id, error.message);
      }
    }
    return records;
  }

  #tombstone(before: Known | undefined, { availability }: MessageColumns | Tombstone): void {
    if (!before || (before.availability === availability && this.#settings.onDelete !== 'purge')) return;
    if (availability === 'Purged') this.#counts.purged += 1;
    else this.#counts.deleted += 1;
    this.#gone.reported(before.pk, availability);
  }

  #supersedes(record: MessageColumns, before: Known): boolean {
    if (before.missingSince !== null || before.availability !== record.availability) return true;
    if (record.raw === before.raw) return false;
    return this.#settings.full || !isOlder(record, before);
  }

  #remember(pks: readonly number[]): void {
    for (const pk of pks) if (this.#oldestPk === undefined || pk < this.#oldestPk) this.#oldestPk = pk;
  }
}

/**
 * Whether a record is older than another record. If the times are equal, the record of the later reply counts as newer.
 */
function isOlder(
  record: { readonly lastModifiedTime: string | null },
  than: { readonly lastModifiedTime: string | null },
): boolean {
  return (
    record.lastModifiedTime !== null &&
    than.lastModifiedTime !== null &&
    record.lastModifiedTime < than.lastModifiedTime
  );
}
