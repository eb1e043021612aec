import type { Database } from '../../platform/sqlite.ts';
import { frameKey, retentionStart, type Frame } from './frame.ts';

/** One frame of one mailbox, and how far it is copied. */
export interface Stream {
  readonly streamId: number;
  readonly extensionId: string;
  readonly messageType: string | undefined;
  readonly direction: string | undefined;
  readonly dateFrom: string;
  readonly maxRecords: number | undefined;
  readonly syncToken: string | undefined;
  readonly syncTime: string | undefined;
  readonly fullSyncTime: string | undefined;
  readonly olderRecords: boolean;
}

interface StreamRow {
  readonly stream_id: number;
  readonly extension_id: string;
  readonly message_type: string | null;
  readonly direction: string | null;
  readonly date_from: string;
  readonly max_records: number | null;
  readonly sync_token: string | null;
  readonly sync_time: string | null;
  readonly full_sync_time: string | null;
  readonly older_records: number | null;
}

/** The stream of a frame, made at its first sync. `dateFrom` is what `frame.since` means now. */
export function openStream(
  db: Database,
  extensionId: string,
  frame: Frame,
  dateFrom = retentionStart,
): Stream {
  const key = frameKey(frame);
  db.prepare(
    `INSERT INTO stream (extension_id, frame_key, message_type, direction, date_from, max_records) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  ).run(
    extensionId,
    key,
    frame.messageType ?? null,
    frame.direction ?? null,
    dateFrom,
    frame.maxRecords ?? null,
  );
  const row = db
    .prepare('SELECT * FROM stream WHERE extension_id = ? AND frame_key = ?')
    .get(extensionId, key);
  return toStream(row);
}

/** Every stream, by mailbox. */
export function allStreams(db: Database): readonly Stream[] {
  return (
    db.prepare('SELECT * FROM stream ORDER BY extension_id, stream_id').all() as unknown as StreamRow[]
  ).map(toStream);
}

function toStream(row: StreamRow): Stream {
  return {
    streamId: row.stream_id,
    extensionId: row.extension_id,
    messageType: row.message_type ?? undefined,
    direction: row.direction ?? undefined,
    dateFrom: row.date_from,
    maxRecords: row.max_records ?? undefined,
    syncToken: row.sync_token ?? undefined,
    syncTime: row.sync_time ?? undefined,
    fullSyncTime: row.full_sync_time ?? undefined,
    olderRecords: row.older_records === 1,
  };
}
