import type { Migration } from './migration.ts';

/** Columns of `message` that come from a record of the service. */
const messageColumns = `
  message_id text collate "C" not null, type text collate "C", direction text collate "C", availability text collate "C" not null,
  read_status text collate "C", message_status text collate "C", creation_time text collate "C",
  last_modified_time text collate "C", conversation_id text collate "C", from_number text collate "C",
  from_extension text collate "C", from_name text collate "C", to_numbers text collate "C", to_names text collate "C",
  subject text collate "C", media_wanted int not null default 0, attachments int, created_key bigint, words tsvector,
  raw text collate "C" not null`;

/** Columns of `call_record` that come from a record of the service. */
const callColumns = `
  record_id text collate "C" not null, session_id text collate "C" not null, start_time text collate "C" not null,
  duration_seconds int not null, type text collate "C" not null, direction text collate "C" not null,
  action text collate "C" not null, result text collate "C" not null, from_number text collate "C",
  from_extension text collate "C", from_name text collate "C", to_number text collate "C", to_extension text collate "C",
  to_name text collate "C", extension_id text collate "C", recording_id text collate "C", message_id text collate "C",
  transport text collate "C", last_modified_time text collate "C", numbers text collate "C" not null, unfinished int not null,
  legs int, raw text collate "C" not null`;

/**
 * Archive of messages and calls. Texts are compared by code point, as in SQLite, so that both stores return the same
 * order.
 */
export const archiveMigration: Migration = {
  number: 2,
  name: 'archive',
  sql: `
create table mailbox (
  extension_id text collate "C" primary key, extension_number text collate "C", name text collate "C", own boolean not null default false
);
create table stream (
  stream_id bigint generated always as identity primary key, extension_id text collate "C" not null, scope_key text not null,
  message_type text collate "C", direction text collate "C", date_from text collate "C" not null, max_records int, sync_token text,
  sync_time text collate "C", full_sync_time text collate "C", older_records boolean, version bigint not null default 0,
  unique (extension_id, scope_key)
);
create table run (
  run_id bigint generated always as identity primary key, stream_id bigint not null, sync_type text not null, repair boolean not null,
  ended_at text not null, counts json not null
);

create table message (
  pk bigint generated always as identity primary key, extension_id text collate "C" not null,${messageColumns},
  missing_since text collate "C", changed_in xid8 not null default pg_current_xact_id(), unique (extension_id, message_id)
);
alter table message alter type set not null, alter creation_time set not null, alter created_key set not null;
create index message_by_time on message (created_key);
create index message_by_words on message using gin (words) with (fastupdate = off);
create index message_by_conversation on message (conversation_id, created_key);
create index message_by_type on message (type, created_key);
create index message_by_change on message (changed_in);
create index message_with_media on message (extension_id, created_key) where media_wanted > 0;
create index message_gone on message (extension_id) where availability <> 'Alive' or missing_since is not null;

create table message_version (
  version_id bigint generated always as identity primary key, message_pk bigint not null, extension_id text collate "C" not null,
  message_id text collate "C" not null, last_modified_time text collate "C", replaced_in xid8 not null default pg_current_xact_id(),
  raw text collate "C" not null
);
create index version_by_message on message_version (message_pk);

create table message_change (
  tx xid8 not null default pg_current_xact_id(), change_id bigint generated always as identity, at timestamptz not null default store_now(),
  extension_id text collate "C" not null, message_id text collate "C" not null, change text not null, primary key (tx, change_id)
);

create table sync_error (
  error_id bigint generated always as identity primary key, stream_id bigint not null, extension_id text collate "C" not null,
  message_id text collate "C", problem text not null, seen_at text not null
);

create table media (
  message_pk bigint not null, attachment_id text collate "C" not null, content_type text, file_name text, bytes bigint not null,
  sha256 text collate "C" not null, primary key (message_pk, attachment_id)
);
create index media_by_content on media (sha256);
create table media_garbage (sha256 text collate "C" primary key);

create table export_state (
  target text not null, format text not null, filter text not null, position xid8 not null, bytes bigint not null, primary key (target, format)
);
create table erased (salt text not null, number_hash text primary key, erased_at text not null);
create table audit (
  audit_id bigint generated always as identity primary key, at timestamptz not null default store_now(), by_user text not null default session_user,
  machine_time text not null, action text not null, subject text not null, count bigint not null
);
create table store_copy (
  source text not null, mailbox text collate "C" not null, checksum text not null, messages bigint not null,
  copied_at timestamptz not null default store_now(), primary key (source, mailbox)
);

create table call_stream (
  scope text primary key, owner text, date_from text not null, complete_to text, pending_from text, pending_to text, pending_target text,
  synced_at text
);
create table call_record (
  pk bigint generated always as identity primary key, scope text collate "C" not null,${callColumns}, unique (scope, record_id)
);
create index call_by_time on call_record (scope, start_time);
create index call_unfinished on call_record (scope, start_time) where unfinished = 1;
create table call_extension (
  extension_id text collate "C" primary key, extension_number text collate "C", name text collate "C" not null, type text collate "C" not null
);
`,
  views: {
    v_message: `select message.message_id as id, message.extension_id, mailbox.extension_number, mailbox.name as mailbox,
      message.type, message.direction, message.availability, message.missing_since, message.read_status, message.message_status,
      message.creation_time, message.last_modified_time, message.conversation_id,
      message.from_number, message.from_extension, message.from_name, message.to_numbers, message.to_names,
      message.subject as text, message.attachments, message.raw
      from message left join mailbox using (extension_id)`,
    v_thread: `select extension_id, coalesce(conversation_id, 'message-' || message_id) as thread_id, type,
      min(creation_time) as first_time, max(creation_time) as last_time, count(*) as messages,
      count(*) filter (where read_status = 'Unread') as unread,
      string_agg(distinct case direction when 'Inbound' then coalesce(from_number, from_extension) else to_numbers end, ',') as others
      from message group by extension_id, coalesce(conversation_id, 'message-' || message_id), type`,
    v_call: `select record_id as id, scope, session_id, start_time, duration_seconds, call_record.type, direction, action, result,
      from_number, from_extension, from_name, to_number, to_extension, to_name,
      extension_id, extension_number, call_extension.name as extension,
      recording_id, message_id, transport, last_modified_time, legs, raw
      from call_record left join call_extension using (extension_id)`,
    // Only changes of transactions that are older than every running transaction. Their order is final, so
    // a reader that continues after (tx, change_id) misses nothing.
    v_change: `select tx, change_id, at, extension_id, message_id, change from message_change
      where tx < pg_snapshot_xmin(pg_current_snapshot())`,
  },
};
