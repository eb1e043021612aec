import { iterateRows, type Database } from '../../../platform/sqlite.ts';

/** A message in the form that exports use. */
export interface ExportRow {
  readonly pk: number;
  readonly id: string;
  readonly mailbox: string;
  readonly type: string;
  readonly direction: string | null;
  readonly availability: string;
  readonly readStatus: string | null;
  readonly messageStatus: string | null;
  readonly creationTime: string;
  readonly lastModifiedTime: string | null;
  readonly conversationId: string | null;
  readonly fromNumber: string | null;
  readonly fromExtension: string | null;
  readonly fromName: string | null;
  readonly toNumbers: string | null;
  readonly toNames: string | null;
  readonly text: string | null;
  readonly attachments: number;
  readonly raw: string;
}

/** The messages that an export includes. */
export interface Selection {
  /**
   * The search that selected the messages; empty for all messages. An export can be continued only with the same
   * search.
   */
  readonly filter: string;
  /** An SQL condition on `message.pk`. */
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

export const everyMessage: Selection = { filter: '', sql: 'TRUE', values: [] };

/** A copied attachment. */
export interface ExportMedia {
  readonly sha256: string;
  readonly contentType: string | null;
  readonly fileName: string | null;
}

const columns = `SELECT pk, message_id AS id, extension_id AS mailbox, type, direction, availability, read_status AS readStatus,
  message_status AS messageStatus, creation_time AS creationTime, last_modified_time AS lastModifiedTime,
  conversation_id AS conversationId, from_number AS fromNumber, from_extension AS fromExtension, from_name AS fromName,
  to_numbers AS toNumbers, to_names AS toNames, subject AS text,
  coalesce(json_array_length(raw, '$.attachments'), 0) AS attachments, raw FROM message`;

/** Selected messages that changed after a run, oldest first, one at a time. */
export function changedAfter(db: Database, runId: number, chosen: Selection): Iterable<ExportRow> {
  const sql = `${columns} WHERE changed_in > ? AND ${chosen.sql} ORDER BY pk`;
  return iterateRows(db, sql, [runId, ...chosen.values]);
}

/** The selected messages of one thread, oldest first. */
export function threadRows(
  db: Database,
  { conversation, pk }: { readonly conversation: string | null; readonly pk: number },
  chosen: Selection,
): Iterable<ExportRow> {
  if (conversation === null) return iterateRows(db, `${columns} WHERE pk = ?`, [pk]);
  const sql = `${columns} WHERE conversation_id = ? AND ${chosen.sql} ORDER BY pk`;
  return iterateRows(db, sql, [conversation, ...chosen.values]);
}

/** The copied attachments of a message, ordered by id. */
export function mediaOf(db: Database, pk: number): readonly ExportMedia[] {
  return db
    .prepare(
      'SELECT sha256, content_type AS contentType, file_name AS fileName FROM media WHERE message_pk = ? ORDER BY attachment_id',
    )
    .all(pk);
}
