import type {
  ExportMedia,
  ExportRow,
  ExportThread,
  Selection,
  ThreadPlace,
} from '../../../store/export-row.ts';
import { iterateRows, type Database } from '../../../platform/sqlite.ts';

/** The latest run whose changes an export includes. */
export function latestRun(db: Database): number {
  const { n } = db.prepare('SELECT coalesce(max(changed_in), 0) AS n FROM message').get() as {
    readonly n: number;
  };
  return n;
}

export const everyMessage: Selection = { filter: '', sql: 'TRUE', values: [] };

const columns = `SELECT pk, message_id AS id, extension_id AS mailbox, type, direction, availability, read_status AS readStatus,
  message_status AS messageStatus, creation_time AS creationTime, last_modified_time AS lastModifiedTime,
  conversation_id AS conversationId, from_number AS fromNumber, from_extension AS fromExtension, from_name AS fromName,
  to_numbers AS toNumbers, to_names AS toNames, subject AS text,
  coalesce(json_array_length(raw, '$.attachments'), 0) AS attachments, raw FROM message`;

/** Yields the selected messages that changed after a run, oldest first, one at a time. */
export function changedAfter(db: Database, runId: number, chosen: Selection): Iterable<ExportRow> {
  const sql = `${columns} WHERE changed_in > ? AND ${chosen.sql} ORDER BY pk`;
  return inOrder(iterateRows(db, sql, [runId, ...chosen.values]));
}

/**
 * Orders messages of the same time by mailbox and ID. Their keys depend on the order in which they were copied, but two
 * copies of the same messages must produce the same export.
 */
function inOrder(rows: Iterable<ExportRow>): Iterable<ExportRow> {
  return sortedTies(rows, ({ creationTime }) => creationTime);
}

/** Sorts consecutive rows with the same time by mailbox and ID. */
function* sortedTies<T extends { readonly mailbox: string; readonly id: string }>(
  rows: Iterable<T>,
  timeOf: (row: T) => string,
): Generator<T, void, undefined> {
  let tied: T[] = [];
  for (const row of rows) {
    const [first] = tied;
    if (first && timeOf(first) !== timeOf(row)) {
      yield* tied.sort(byMailboxAndId);
      tied = [];
    }
    tied.push(row);
  }
  yield* tied.sort(byMailboxAndId);
}

function byMailboxAndId(
  a: { readonly mailbox: string; readonly id: string },
  b: { readonly mailbox: string; readonly id: string },
): number {
  if (a.mailbox !== b.mailbox) return a.mailbox < b.mailbox ? -1 : 1;
  // IDs are numbers in most services, so a longer ID is a later ID.
  if (a.id.length !== b.id.length) return a.id.length - b.id.length;
  return a.id < b.id ? -1 : 1;
}

/** Yields the threads of the selected messages, latest first. */
export function threadsOf(db: Database, chosen: Selection): Iterable<ExportThread> {
  const rows = iterateRows<ExportThread>(
    db,
    `SELECT conversation_id AS conversation, extension_id AS mailbox, message_id AS id, max(pk) AS pk, count(*) AS messages,
     creation_time AS lastTime, type, subject AS text
     FROM message WHERE ${chosen.sql} GROUP BY extension_id, coalesce(conversation_id, 'message-' || pk) ORDER BY max(pk) DESC`,
    chosen.values,
  );
  return sortedTies(rows, ({ lastTime }) => lastTime);
}

/** Yields the selected messages of one thread, oldest first. */
export function threadRows(
  db: Database,
  { mailbox, conversation, pk }: ThreadPlace,
  chosen: Selection,
): Iterable<ExportRow> {
  if (conversation === null) return iterateRows(db, `${columns} WHERE pk = ?`, [pk]);
  const sql = `${columns} WHERE conversation_id = ? AND extension_id = ? AND ${chosen.sql} ORDER BY pk`;
  return inOrder(iterateRows(db, sql, [conversation, mailbox, ...chosen.values]));
}

/** Returns the thread of a message. */
export function threadOf(db: Database, mailbox: string, messageId: string): ThreadPlace | undefined {
  return db
    .prepare(
      // The key of the table has both columns. A condition on the columns of two tables would read all messages.
      `SELECT extension_id AS mailbox, conversation_id AS conversation, pk FROM message
       WHERE extension_id IN (SELECT ?1 UNION SELECT extension_id FROM mailbox WHERE extension_number = ?1) AND message_id = ?2`,
    )
    .get(mailbox, messageId) as ThreadPlace | undefined;
}

/** Returns the copied attachments of a message, ordered by ID. */
export function mediaOf(db: Database, pk: number): readonly ExportMedia[] {
  return db
    .prepare(
      'SELECT sha256, content_type AS contentType, file_name AS fileName FROM media WHERE message_pk = ? ORDER BY attachment_id',
    )
    .all(pk);
}
