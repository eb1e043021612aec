import type { CachedStatements } from '../../platform/cached-statements.ts';
import type { Database } from '../../platform/sqlite.ts';
import { insertText, prepareNamed } from '../../platform/named-statement.ts';
import type { Stream, SyncScope } from '../../store/mailbox.ts';
import { scopeKey, retentionStart } from './sync-scope.ts';

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

/** Returns the new row, or no row if the stream exists. */
const streamInsert = insertText(
  'stream',
  ['extension_id', 'frame_key', 'message_type', 'direction', 'date_from', 'max_records'],
  'ON CONFLICT DO NOTHING RETURNING *',
);

/** A stream before its first reply, which stores it. */
interface NewStream extends Stream {
  readonly streamId: 0;
  readonly scope: SyncScope;
}

/** Returns the stream of a scope. `dateFrom` is the current time of `scope.since`, for a scope without a stream. */
export function openStream(
  db: CachedStatements,
  extensionId: string,
  scope: SyncScope,
  dateFrom = retentionStart,
): Stream {
  const known = knownStream(db, extensionId, scope);
  if (known) return known;
  const { messageType, direction, maxRecords } = scope;
  const created: NewStream = {
    streamId: 0,
    extensionId,
    messageType,
    direction,
    dateFrom,
    maxRecords,
    syncToken: undefined,
    syncTime: undefined,
    fullSyncTime: undefined,
    olderRecords: false,
    scope,
  };
  return created;
}

/** Returns a stream of `openStream` with its row, in the transaction of its first reply. */
export function storedStream(db: CachedStatements, stream: Stream): Stream {
  if (stream.streamId !== 0) return stream;
  const { extensionId, dateFrom, scope } = stream as NewStream;
  const created = db.named<StreamRow>(streamInsert).get({
    extension_id: extensionId,
    frame_key: scopeKey(scope),
    message_type: scope.messageType ?? null,
    direction: scope.direction ?? null,
    date_from: dateFrom,
    max_records: scope.maxRecords ?? null,
  });
  return created ? toStream(created) : (knownStream(db, extensionId, scope) as Stream);
}

/** Returns the stream of a scope; undefined before its first sync. */
function knownStream(db: CachedStatements, extensionId: string, scope: SyncScope): Stream | undefined {
  const row = db
    .prepare('SELECT * FROM stream WHERE extension_id = ? AND frame_key = ?')
    .get(extensionId, scopeKey(scope)) as StreamRow | undefined;
  return row && toStream(row);
}

/** Returns all streams, ordered by mailbox. */
export function allStreams(db: Database): readonly Stream[] {
  return prepareNamed<StreamRow>(db, 'SELECT * FROM stream ORDER BY extension_id, stream_id')
    .all()
    .map(toStream);
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
