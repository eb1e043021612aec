import { transaction, type Database } from '../../../platform/sqlite.ts';

/**
 * Version of the call tables, increased with every change. It is stored in `call_schema`, separate from the
 * `user_version` of the mailbox tables.
 */
const callSchemaVersion = 1;

const callSchema = `
CREATE TABLE call_schema (version INTEGER NOT NULL);

-- The position in the log of one scope: 'account', or '~' for the user's own calls. The pending columns describe an interrupted run.
CREATE TABLE call_stream (
  scope TEXT PRIMARY KEY,
  owner TEXT,
  date_from TEXT NOT NULL,
  complete_to TEXT,
  pending_from TEXT,
  pending_to TEXT,
  pending_target TEXT,
  synced_at TEXT
) WITHOUT ROWID;

CREATE TABLE call_record (
  pk INTEGER PRIMARY KEY,
  scope TEXT NOT NULL,
  record_id TEXT NOT NULL,
  session_id TEXT NOT NULL,
  start_time TEXT NOT NULL,
  duration_seconds INTEGER NOT NULL,
  type TEXT NOT NULL,
  direction TEXT NOT NULL,
  action TEXT NOT NULL,
  result TEXT NOT NULL,
  from_number TEXT,
  from_extension TEXT,
  from_name TEXT,
  to_number TEXT,
  to_extension TEXT,
  to_name TEXT,
  extension_id TEXT,
  recording_id TEXT,
  message_id TEXT,
  transport TEXT,
  last_modified_time TEXT,
  -- Every number of the call and its legs, a space around each.
  numbers TEXT NOT NULL,
  unfinished INTEGER NOT NULL,
  raw TEXT NOT NULL,
  UNIQUE (scope, record_id)
);
CREATE INDEX call_by_time ON call_record (scope, start_time);
CREATE INDEX call_unfinished ON call_record (scope, start_time) WHERE unfinished = 1;

-- Names of the account's extensions as of the last sync, for statistics without the service.
CREATE TABLE call_extension (
  extension_id TEXT PRIMARY KEY,
  extension_number TEXT,
  name TEXT NOT NULL,
  type TEXT NOT NULL
) WITHOUT ROWID;

DROP VIEW IF EXISTS v_call;
CREATE VIEW v_call AS SELECT
  record_id AS id, scope, session_id, start_time, duration_seconds, call_record.type, direction, action, result,
  from_number, from_extension, from_name, to_number, to_extension, to_name,
  extension_id, extension_number, call_extension.name AS extension,
  recording_id, message_id, transport, last_modified_time, json_array_length(raw, '$.legs') AS legs, raw
FROM call_record LEFT JOIN call_extension USING (extension_id);
`;

/** Tokens of syncs of the call log. Versions of ucctl that do not know this table ignore it; it therefore has no version. */
const tokenSchema = `
CREATE TABLE call_sync_token (
  scope TEXT PRIMARY KEY,
  token TEXT NOT NULL
) WITHOUT ROWID;
`;

/** The error for call tables that another version of ucctl created. */
export class ForeignCallsError extends Error {
  override readonly name = 'ForeignCallsError';
}

/** Whether this database has call tables. */
export function hasCalls(db: Database): boolean {
  return db.prepare("SELECT 1 AS n FROM sqlite_schema WHERE name = 'call_schema'").get() !== undefined;
}

/** Whether this database has the table of sync tokens. */
export function hasTokens(db: Database): boolean {
  return db.prepare("SELECT 1 AS n FROM sqlite_schema WHERE name = 'call_sync_token'").get() !== undefined;
}

/**
 * Creates the call tables in an open copy if they do not exist.
 * @throws {ForeignCallsError} the tables have another version.
 */
export function prepareCalls(db: Database): void {
  if (!hasCalls(db)) {
    transaction(db, () =>
      db.exec(
        `${callSchema} INSERT INTO call_schema (version) VALUES (${callSchemaVersion}); ${tokenSchema}`,
      ),
    );
    return;
  }
  const { version } = db.prepare('SELECT version FROM call_schema').get() as { readonly version: number };
  if (version !== callSchemaVersion) {
    throw new ForeignCallsError(
      `the call tables in this database have schema version ${version}, which this version of ucctl cannot read`,
    );
  }
  if (!hasTokens(db)) transaction(db, () => db.exec(tokenSchema));
}
