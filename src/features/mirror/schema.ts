/**
 * Version of the tables, increased with every change and stored as `PRAGMA user_version`. docs/mirror.md describes
 * tables and views.
 */
export const mirrorSchemaVersion = 2;

/** How the full-text index divides a text into words. */
export const wordTokenizer = 'unicode61 remove_diacritics 2';

export const mirrorSchema = `
CREATE TABLE mailbox (
  extension_id TEXT PRIMARY KEY,
  extension_number TEXT,
  name TEXT,
  own INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE stream (
  stream_id INTEGER PRIMARY KEY,
  extension_id TEXT NOT NULL,
  frame_key TEXT NOT NULL,
  message_type TEXT,
  direction TEXT,
  date_from TEXT NOT NULL,
  max_records INTEGER,
  sync_token TEXT,
  sync_time TEXT,
  full_sync_time TEXT,
  older_records INTEGER,
  oldest_pk INTEGER,
  UNIQUE (extension_id, frame_key)
);

CREATE TABLE run (
  run_id INTEGER PRIMARY KEY,
  stream_id INTEGER NOT NULL,
  sync_type TEXT NOT NULL,
  repair INTEGER NOT NULL,
  ended_at TEXT NOT NULL,
  counts TEXT NOT NULL
);

CREATE TABLE message (
  pk INTEGER PRIMARY KEY,
  extension_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  type TEXT NOT NULL,
  direction TEXT,
  availability TEXT NOT NULL,
  missing_since TEXT,
  read_status TEXT,
  message_status TEXT,
  creation_time TEXT NOT NULL,
  last_modified_time TEXT,
  conversation_id TEXT,
  from_number TEXT,
  from_extension TEXT,
  from_name TEXT,
  to_numbers TEXT,
  to_names TEXT,
  subject TEXT,
  media_wanted INTEGER NOT NULL DEFAULT 0,
  seen_in INTEGER NOT NULL,
  changed_in INTEGER NOT NULL,
  raw TEXT NOT NULL,
  UNIQUE (extension_id, message_id)
);
CREATE INDEX message_by_conversation ON message (conversation_id, pk);
CREATE INDEX message_by_type ON message (type, pk);
CREATE INDEX message_by_change ON message (changed_in);
CREATE INDEX message_with_media ON message (pk) WHERE media_wanted > 0;
CREATE INDEX message_gone ON message (pk) WHERE availability <> 'Alive' OR missing_since IS NOT NULL;

-- The content of the full-text index: the text, names and numbers of both sides, and marks of the kind of a message. With the marks a search for
-- frequent words in a rare kind does not read every message.
CREATE VIEW message_words AS SELECT
  pk, subject, coalesce(from_number, '') || ' ' || coalesce(from_extension, '') || ' ' || coalesce(from_name, '') AS sender,
  coalesce(to_numbers, '') || ' ' || coalesce(to_names, '') AS recipients,
  type || ' ' || extension_id || ' ' || coalesce(direction, '') || ' ' || coalesce(read_status, '')
  || CASE WHEN media_wanted > 0 THEN ' attachment' ELSE '' END
  || CASE WHEN availability <> 'Alive' OR missing_since IS NOT NULL THEN ' gone' ELSE '' END AS marks
FROM message;
CREATE VIRTUAL TABLE message_fts USING fts5 (
  subject, sender, recipients, marks,
  content = 'message_words', content_rowid = 'pk', tokenize = '${wordTokenizer}'
);
-- The words of the index, sorted.
CREATE VIRTUAL TABLE message_terms USING fts5vocab (message_fts, instance);

CREATE TABLE message_version (
  version_id INTEGER PRIMARY KEY,
  message_pk INTEGER NOT NULL,
  extension_id TEXT NOT NULL,
  message_id TEXT NOT NULL,
  last_modified_time TEXT,
  replaced_in INTEGER NOT NULL,
  raw TEXT NOT NULL
);
CREATE INDEX version_by_message ON message_version (message_pk);

CREATE TABLE sync_error (
  error_id INTEGER PRIMARY KEY,
  stream_id INTEGER NOT NULL,
  extension_id TEXT NOT NULL,
  message_id TEXT,
  problem TEXT NOT NULL,
  seen_at TEXT NOT NULL
);

CREATE TABLE media (
  message_pk INTEGER NOT NULL,
  attachment_id TEXT NOT NULL,
  content_type TEXT,
  file_name TEXT,
  bytes INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (message_pk, attachment_id)
) WITHOUT ROWID;
CREATE INDEX media_by_content ON media (sha256);
-- Files that no row uses any more; removed after the commit.
CREATE TABLE media_garbage (sha256 TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE export_state (
  target TEXT PRIMARY KEY,
  format TEXT NOT NULL,
  filter TEXT NOT NULL,
  run_id INTEGER NOT NULL,
  bytes INTEGER NOT NULL
) WITHOUT ROWID;

-- Salted hashes of erased numbers, whose messages are not copied again.
CREATE TABLE erased (salt TEXT NOT NULL, number_hash TEXT PRIMARY KEY, erased_at TEXT NOT NULL) WITHOUT ROWID;

CREATE VIEW v_message AS SELECT
  message.message_id AS id, message.extension_id, mailbox.extension_number, mailbox.name AS mailbox,
  message.type, message.direction, message.availability, message.missing_since, message.read_status, message.message_status,
  message.creation_time, message.last_modified_time, message.conversation_id,
  message.from_number, message.from_extension, message.from_name, message.to_numbers, message.to_names,
  message.subject AS text, json_array_length(message.raw, '$.attachments') AS attachments, message.raw
FROM message LEFT JOIN mailbox USING (extension_id);

CREATE VIEW v_thread AS SELECT
  extension_id, coalesce(conversation_id, 'message-' || message_id) AS thread_id, type,
  min(creation_time) AS first_time, max(creation_time) AS last_time, count(*) AS messages,
  sum(read_status = 'Unread') AS unread,
  group_concat(DISTINCT CASE direction WHEN 'Inbound' THEN coalesce(from_number, from_extension) ELSE to_numbers END) AS others
FROM message GROUP BY extension_id, coalesce(conversation_id, 'message-' || message_id), type;

-- An empty view; the first calllog sync replaces it with a view of its tables that has the same columns.
CREATE VIEW v_call AS SELECT
  NULL AS id, NULL AS scope, NULL AS session_id, NULL AS start_time, NULL AS duration_seconds, NULL AS type, NULL AS direction, NULL
  AS action, NULL AS result, NULL AS from_number, NULL AS from_extension, NULL AS from_name, NULL AS to_number, NULL AS
  to_extension, NULL AS to_name, NULL AS extension_id, NULL AS extension_number, NULL AS extension, NULL AS recording_id, NULL AS
  message_id, NULL AS transport, NULL AS last_modified_time, NULL AS legs, NULL AS raw
WHERE FALSE;
`;
