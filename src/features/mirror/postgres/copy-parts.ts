import type { Database } from '../../../platform/sqlite.ts';
import { hasCalls, hasTokens } from '../calls/schema.ts';
import { keyOf } from '../message-table.ts';
import type { CopyValue } from './copy-in.ts';
import { callType, excludedMessage, exclusionCheck, type Exclusions } from './exclusions.ts';
import { knownMailbox } from './streams.ts';
import { fullText } from './words.ts';

/** A row of the file. */
export type Row = Readonly<Record<string, string | number | null>>;

/** The rows of a part in both databases, in the same order. */
export interface PartRows {
  /** Query of SQLite; the parameter is the key of the part. */
  readonly sql: string;
  /** The same rows in the store. */
  readonly storeSql: string;
  /** Columns that the checksum includes. */
  readonly compared: readonly string[];
}

/** A part of a mailbox copy that is copied in one transaction. */
export interface Part {
  readonly name: string;
  readonly key: string;
  readonly table: 'message' | 'call_record';
  /** Column that contains the key. */
  readonly where: 'extension_id' | 'scope';
  readonly columns: readonly string[];
  readonly valuesOf: (row: Row) => readonly CopyValue[];
  readonly rows: PartRows;
  /** Rows that belong to the part: a query of SQLite, and an insert of a JSON list ($1) for the key ($2). */
  readonly further: readonly { readonly sql: string; readonly insert: string }[];
  /** Statement of the store after all rows; the parameter is the key. */
  readonly last?: string;
  /** Query of SQLite for an address that contains the account of the part. */
  readonly accountSql: string;
  /** Returns a function that checks whether the store must not contain a row. */
  readonly excluded: (exclusions: Exclusions) => (row: Row) => boolean;
}

const messageColumns = [
  'extension_id',
  'message_id',
  'type',
  'direction',
  'availability',
  'missing_since',
  'read_status',
  'message_status',
  'creation_time',
  'last_modified_time',
  'conversation_id',
  'from_number',
  'from_extension',
  'from_name',
  'to_numbers',
  'to_names',
  'subject',
  'media_wanted',
  'raw',
];
const callColumns = [
  'scope',
  'record_id',
  'session_id',
  'start_time',
  'duration_seconds',
  'type',
  'direction',
  'action',
  'result',
  'from_number',
  'from_extension',
  'from_name',
  'to_number',
  'to_extension',
  'to_name',
  'extension_id',
  'recording_id',
  'message_id',
  'transport',
  'last_modified_time',
  'numbers',
  'unfinished',
  'raw',
];

const mailboxRows = [
  {
    sql: 'SELECT extension_id, extension_number, name, own FROM mailbox WHERE extension_id = ?',
    insert: `insert into mailbox as known (extension_id, extension_number, name, own)
      select extension_id, extension_number, name, own = 1 from json_to_recordset($1)
        as given (extension_id text, extension_number text, name text, own int) where extension_id = $2
      ${knownMailbox}`,
  },
  {
    sql: `SELECT frame_key AS scope_key, message_type, direction, date_from, max_records, sync_token, sync_time, full_sync_time, older_records
      FROM stream WHERE extension_id = ?`,
    insert: `insert into stream (extension_id, scope_key, message_type, direction, date_from, max_records, sync_token, sync_time,
        full_sync_time, older_records)
      select $2, scope_key, message_type, direction, date_from, max_records, sync_token, sync_time, full_sync_time, older_records = 1
      from json_to_recordset($1) as given (scope_key text, message_type text, direction text, date_from text, max_records int,
        sync_token text, sync_time text, full_sync_time text, older_records int)
      on conflict (extension_id, scope_key) do nothing`,
  },
  {
    sql: `SELECT message_id, last_modified_time, raw FROM message_version WHERE extension_id = ? ORDER BY version_id`,
    insert: `insert into message_version (message_pk, extension_id, message_id, last_modified_time, raw)
      select message.pk, $2, given.message_id, given.last_modified_time, given.raw
      from json_to_recordset($1) as given (message_id text, last_modified_time text, raw text)
      join message on message.extension_id = $2 and message.message_id = given.message_id`,
  },
  {
    sql: `SELECT message_id, attachment_id, content_type, file_name, bytes, sha256 FROM media JOIN message ON pk = message_pk
      WHERE extension_id = ?`,
    insert: `insert into media (message_pk, attachment_id, content_type, file_name, bytes, sha256)
      select message.pk, attachment_id, content_type, file_name, bytes, sha256
      from json_to_recordset($1) as given (message_id text, attachment_id text, content_type text, file_name text, bytes bigint, sha256 text)
      join message on message.extension_id = $2 and message.message_id = given.message_id`,
  },
  {
    sql: `SELECT frame_key AS scope_key, message_id, problem, seen_at FROM sync_error JOIN stream USING (stream_id)
      WHERE stream.extension_id = ?`,
    insert: `insert into sync_error (stream_id, extension_id, message_id, problem, seen_at)
      select stream_id, $2, message_id, problem, seen_at
      from json_to_recordset($1) as given (scope_key text, message_id text, problem text, seen_at text)
      join stream on stream.extension_id = $2 and stream.scope_key = given.scope_key`,
  },
] as const;

const positionColumns = 'owner, date_from, complete_to, pending_from, pending_to, pending_target, synced_at';

/** The position in the call log, and the names of extensions. A file of an earlier version has no table of sync tokens. */
const callRows = (hasSyncTokens: boolean): Part['further'] => [
  {
    sql: hasSyncTokens
      ? `SELECT ${positionColumns}, token AS sync_token FROM call_stream LEFT JOIN call_sync_token USING (scope) WHERE scope = ?`
      : `SELECT ${positionColumns}, NULL AS sync_token FROM call_stream WHERE scope = ?`,
    insert: `insert into call_stream (scope, ${positionColumns}, sync_token) select $2, ${positionColumns}, sync_token
      from json_to_recordset($1) as given (owner text, date_from text, complete_to text, pending_from text, pending_to text,
        pending_target text, synced_at text, sync_token text) on conflict (scope) do nothing`,
  },
  {
    sql: 'SELECT extension_id, extension_number, name, type FROM call_extension WHERE ? IS NOT NULL',
    insert: `insert into call_extension (extension_id, extension_number, name, type)
      select extension_id, extension_number, name, type from json_to_recordset($1)
        as given (extension_id text, extension_number text, name text, type text) where $2::text is not null
      on conflict (extension_id) do nothing`,
  },
];

/** Returns the parts of a mailbox copy: each mailbox, and the calls of each scope. */
export function partsOf(source: Database): readonly Part[] {
  const mailboxes = source.prepare(
    'SELECT extension_id AS key FROM mailbox UNION SELECT extension_id FROM message UNION SELECT extension_id FROM stream ORDER BY 1',
  );
  const scopes = hasCalls(source)
    ? source.prepare('SELECT scope AS key FROM call_stream ORDER BY 1').all()
    : [];
  return [
    ...(mailboxes.all() as { readonly key: string }[]).map(({ key }) => messagesOf(key)),
    ...(scopes as { readonly key: string }[]).map(({ key }) => callsOf(key, hasTokens(source))),
  ];
}

function messagesOf(key: string): Part {
  const list = messageColumns.join(', ');
  return {
    name: `mailbox ${key}`,
    key,
    table: 'message',
    where: 'extension_id',
    columns: [...messageColumns, 'attachments', 'created_key', 'words'],
    valuesOf: (row) => [
      ...messageColumns.map((name) => row[name] ?? null),
      row['attachments'] ?? null,
      keyOf({ createdAt: Date.parse(text(row, 'creation_time')), id: text(row, 'message_id') }),
      wordsOf(key, row),
    ],
    rows: {
      sql: `SELECT ${list}, json_array_length(raw, '$.attachments') AS attachments FROM message WHERE extension_id = ? ORDER BY message_id`,
      storeSql: `select ${list} from message where extension_id = $1 order by message_id`,
      compared: messageColumns,
    },
    further: mailboxRows,
    last: `insert into message_change (extension_id, message_id, change)
      select extension_id, message_id, 'added' from message where extension_id = $1 order by created_key`,
    accountSql: `SELECT json_extract(raw, '$.uri') AS address FROM message
      WHERE extension_id = ? AND json_extract(raw, '$.uri') LIKE '%/account/%' LIMIT 1`,
    excluded: (exclusions) => {
      const isExcluded = excludedMessage(exclusions, key);
      return (row) =>
        isExcluded({
          type: text(row, 'type'),
          creationTime: text(row, 'creation_time'),
          fromNumber: text(row, 'from_number'),
          toNumbers: text(row, 'to_numbers'),
        });
    },
  };
}

function wordsOf(extensionId: string, row: Row): string {
  return fullText(extensionId, {
    subject: row['subject'] as string | null,
    fromNumber: row['from_number'] as string | null,
    fromExtension: row['from_extension'] as string | null,
    fromName: row['from_name'] as string | null,
    toNumbers: text(row, 'to_numbers'),
    toNames: text(row, 'to_names'),
    type: text(row, 'type'),
    direction: row['direction'] as string | null,
    readStatus: row['read_status'] as string | null,
    mediaWanted: Number(row['media_wanted'] ?? 0),
  });
}

function callsOf(key: string, hasSyncTokens: boolean): Part {
  const list = callColumns.join(', ');
  return {
    name: `calls ${key}`,
    key,
    table: 'call_record',
    where: 'scope',
    columns: [...callColumns, 'legs'],
    valuesOf: (row) => [...callColumns.map((name) => row[name] ?? null), row['legs'] ?? null],
    rows: {
      sql: `SELECT ${list}, json_array_length(raw, '$.legs') AS legs FROM call_record WHERE scope = ? ORDER BY record_id`,
      storeSql: `select ${list} from call_record where scope = $1 order by record_id`,
      compared: callColumns,
    },
    further: callRows(hasSyncTokens),
    accountSql: 'SELECT owner AS address FROM call_stream WHERE scope = ?',
    excluded: (exclusions) => {
      const isExcluded = exclusionCheck(exclusions);
      return (row) =>
        isExcluded({
          type: callType,
          time: text(row, 'start_time'),
          extensionId: row['extension_id'] === null ? undefined : text(row, 'extension_id'),
          numbers: text(row, 'numbers').trim().split(' '),
        });
    },
  };
}

function text(row: Row, name: string): string {
  return String(row[name] ?? '');
}
