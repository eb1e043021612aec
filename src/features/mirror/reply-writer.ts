import type { Database } from '../../platform/sqlite.ts';
import { erasedCheck } from './erased.ts';
import { type Gone, goneMessages, type OnDelete } from './gone.ts';
import { MessageTable, type Known } from './message-table.ts';
import { BadRecordError, type MessageColumns, readRecord, type Tombstone } from './record.ts';
import type { ReplySink, SyncInfo } from './reply.ts';
import type { Stream } from './streams.ts';

/** What one reply did to the copy. */
export interface SyncCounts {
  readonly received: number;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly purged: number;
  /** Present before, absent from a full sync. */
  readonly vanished: number;
  readonly errors: number;
}

export interface WriteSettings {
  readonly runId: number;
  readonly onDelete: OnDelete;
  /** A full sync is the whole frame: it wins over what is there, and what it lacks has vanished. */
  readonly full: boolean;
  /** ISO 8601. */
  readonly now: string;
}

/** Records that are written together: enough that full-text and lookups cost little, few enough for memory. */
const batchSize = 2000;

/** Writes one reply into the copy, in batches inside the caller's transaction. */
export class ReplyWriter implements ReplySink {
  readonly #db: Database;
  readonly #stream: Stream;
  readonly #settings: WriteSettings;
  readonly #table: MessageTable;
  readonly #gone: Gone;
  readonly #isErased: (record: MessageColumns) => boolean;
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

  constructor(db: Database, stream: Stream, settings: WriteSettings) {
    this.#db = db;
    this.#stream = stream;
    this.#settings = settings;
    this.#table = new MessageTable(db, stream.extensionId, settings.runId);
    this.#gone = goneMessages(db, this.#table, settings.onDelete);
    this.#isErased = erasedCheck(db);
  }

  records(texts: readonly string[]): void {
    this.#counts.received += texts.length;
    for (const text of texts) this.#texts.push(text);
    if (this.#texts.length >= batchSize) this.#flush();
  }

  problem(messageId: string | undefined, problem: string): void {
    this.#counts.errors += 1;
    this.#db
      .prepare(
        'INSERT INTO sync_error (stream_id, extension_id, message_id, problem, seen_at) VALUES (?, ?, ?, ?, ?)',
      )
      .run(this.#stream.streamId, this.#stream.extensionId, messageId ?? null, problem, this.#settings.now);
  }

  /** Writes what is left, settles what vanished, and keeps the token: the last step before the commit. */
  finish(info: SyncInfo): SyncCounts {
    this.#flush();
    const { streamId, maxRecords } = this.#stream;
    const { full, now } = this.#settings;
    if (full) {
      const cut = maxRecords !== undefined && this.#counts.received >= maxRecords;
      const oldestPk = cut ? (this.#oldestPk ?? 0) : Date.parse(this.#stream.dateFrom) * 1000;
      const vanished = this.#table.unseen(this.#stream, oldestPk);
      this.#counts.vanished = vanished.length;
      this.#gone.vanished(vanished, now);
    }
    if (this.#settings.onDelete === 'purge') this.#gone.removeMarked(this.#stream.extensionId);
    this.#db
      .prepare(
        `UPDATE stream SET sync_token = ?, sync_time = ?, full_sync_time = CASE ? WHEN 1 THEN ? ELSE full_sync_time END,
         older_records = coalesce(?, older_records) WHERE stream_id = ?`,
      )
      .run(
        info.syncToken,
        info.syncTime ?? now,
        full ? 1 : 0,
        info.syncTime ?? now,
        info.olderRecordsExist === undefined ? null : Number(info.olderRecordsExist),
        streamId,
      );
    this.#recordRun();
    return { ...this.#counts };
  }

  /** Writes what is left, without a token: for records that came by themselves. */
  flush(): SyncCounts {
    this.#flush();
    return { ...this.#counts };
  }

  #recordRun(): void {
    const { runId, full, now } = this.#settings;
    if (this.#counts.received === 0 && !full) return;
    this.#db
      .prepare(
        'INSERT INTO run (run_id, stream_id, sync_type, repair, ended_at, counts) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(
        runId,
        this.#stream.streamId,
        full ? 'FSync' : 'ISync',
        Number(full && this.#stream.syncToken !== undefined),
        now,
        JSON.stringify(this.#counts),
      );
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

  /** The records by id. The overlap may give one twice: the newer counts. */
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
    this.#gone.told(before.pk, availability);
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

/** Equal times are no reason to keep the old one. */
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
