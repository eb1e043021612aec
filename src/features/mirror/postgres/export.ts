import type { Postgres, Queries } from '../../../platform/postgres/postgres.ts';
import type {
  ExportMedia,
  ExportRow,
  ExportState,
  ExportThread,
  Selection,
  ThreadPlace,
} from '../../../store/export-row.ts';
import type { AuditEntry } from '../../../store/message-store.ts';
import { OtherSelectionError } from '../export/state.ts';
import { namesNumber } from '../numbers-in-search.ts';
import { addAuditLine } from './audit.ts';
import { readRows } from './rows.ts';

const columns = `select pk, message_id as id, extension_id as mailbox, type, direction, availability, read_status as "readStatus",
  message_status as "messageStatus", creation_time as "creationTime", last_modified_time as "lastModifiedTime",
  conversation_id as "conversationId", from_number as "fromNumber", from_extension as "fromExtension", from_name as "fromName",
  to_numbers as "toNumbers", to_names as "toNames", subject as text, coalesce(attachments, 0) as attachments, raw from message`;
const order = 'order by creation_time, extension_id, length(message_id), message_id';

/**
 * Returns the position after all changes that are stored now: the oldest running transaction. A change that commits
 * later belongs to this transaction or a newer one, so an export that begins here includes it.
 * @throws {StoreError}
 */
export async function positionOf(db: Postgres): Promise<number> {
  const [row] = await db.query<{ position: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::text as position',
  );
  return Number(row?.position);
}

/** Yields the selected messages that changed at or after a position, oldest first. @throws {StoreError} */
export function changedAfter(db: Postgres, position: number, chosen: Selection): AsyncIterable<ExportRow> {
  const sql = `${columns} where changed_in >= '${position}'::xid8 and ${chosen.sql} ${order}`;
  return readRows(db, sql, chosen.values);
}

/** Yields the threads of the selected messages, latest first. @throws {StoreError} */
export function threadsOf(db: Postgres, chosen: Selection): AsyncIterable<ExportThread> {
  const sql = `select conversation, mailbox, id, pk, messages, "lastTime", type, text from (
      select conversation_id as conversation, extension_id as mailbox, message_id as id, pk, creation_time as "lastTime", type, subject as text,
        count(*) over thread as messages, row_number() over (thread order by created_key desc, pk desc) as place
      from message where ${chosen.sql} window thread as (partition by extension_id, coalesce(conversation_id, 'message-' || pk))
    ) as latest where place = 1 order by "lastTime" desc, mailbox, length(id), id`;
  return readRows(db, sql, chosen.values);
}

/** Yields the selected messages of one thread, oldest first. @throws {StoreError} */
export function threadRows(
  db: Postgres,
  { mailbox, conversation, pk }: ThreadPlace,
  chosen: Selection,
): AsyncIterable<ExportRow> {
  if (conversation === null) return readRows(db, `${columns} where pk = $1`, [pk]);
  const values = [...chosen.values, conversation, mailbox];
  const count = values.length;
  const sql = `${columns} where conversation_id = $${count - 1} and extension_id = $${count} and ${chosen.sql} ${order}`;
  return readRows(db, sql, values);
}

/** Returns the thread of a message. @throws {StoreError} */
export async function threadOf(
  db: Postgres,
  mailbox: string,
  messageId: string,
): Promise<ThreadPlace | undefined> {
  const [place] = await db.query<ThreadPlace>(
    // The key of the table has both columns. A condition on the columns of two tables would read all messages.
    `select extension_id as mailbox, conversation_id as conversation, pk from message
     where extension_id = any (array(select $1::text union select extension_id from mailbox where extension_number = $1))
       and message_id = $2`,
    [mailbox, messageId],
  );
  return place;
}

/** Returns the copied attachments of a message, ordered by ID. @throws {StoreError} */
export function mediaOf(db: Postgres, pk: number): Promise<readonly ExportMedia[]> {
  return db.query<ExportMedia>(
    'select sha256, content_type as "contentType", file_name as "fileName" from media where message_pk = $1 order by attachment_id',
    [pk],
  );
}

/**
 * Returns the position of the previous export. @throws {OtherSelectionError} if that export selected other messages.
 * @throws {StoreError}
 */
export async function readExportState(
  db: Postgres,
  { target, format, filter }: Pick<ExportState, 'target' | 'format' | 'filter'>,
): Promise<ExportState | undefined> {
  const [state] = await db.query<{ filter: string; runId: string; bytes: number; file: string | null }>(
    `select filter, position::text as "runId", bytes, file
     from export_state where target = $1 and format = $2`,
    [target, format],
  );
  if (!state) return undefined;
  if (state.filter !== filter) throw new OtherSelectionError(target, state.filter);
  return {
    target,
    format,
    filter,
    runId: Number(state.runId),
    bytes: state.bytes,
    file: state.file ?? undefined,
  };
}

/**
 * Stores the position of an export, with the line in the audit log. A file has one format, so an export in another format
 * to the same file ends. @throws {StoreError}
 */
export async function saveExportState(
  db: Postgres,
  { target, format, filter, runId, bytes, file }: ExportState,
  line?: AuditEntry,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.run('delete from export_state where target = $1 and format <> $2', [target, format]);
    await transaction.run(
      `insert into export_state (target, format, filter, position, bytes, file) values ($1, $2, $3, $4::text::xid8, $5, $6)
       on conflict (target, format) do update set filter = excluded.filter, position = excluded.position, bytes = excluded.bytes,
         file = excluded.file`,
      [target, format, filter, String(runId), bytes, file ?? null],
    );
    if (line) await addAuditLine(transaction, line);
  });
}

/** Forgets exports whose search contains a number. The next export to their target needs `--fresh`. @throws {StoreError} */
export async function forgetSearches(transaction: Queries, number: string): Promise<void> {
  const rows = await transaction.query<Pick<ExportState, 'target' | 'format' | 'filter'>>(
    "select target, format, filter from export_state where filter <> ''",
  );
  for (const { target, format, filter } of rows)
    if (namesNumber(filter, number))
      await transaction.run('delete from export_state where target = $1 and format = $2', [target, format]);
}
