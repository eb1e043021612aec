import type { CachedStatements } from '../../platform/cached-statements.ts';
import { recordColumns } from './message-table.ts';
import { nextRun } from './next-run.ts';
import { differentColumns, storedRecord, type StoredRow, storedRowColumns } from './record-check.ts';

/** Number of messages that are read at a time. */
const some = 500;
const page = `SELECT ${storedRowColumns} FROM message WHERE extension_id = ? AND message_id > ?
  ORDER BY message_id LIMIT ${some}`;

/** The result of the repair of some messages. */
export interface RepairedPage {
  /** Number of messages that were changed. */
  readonly changed: number;
  /** The ID of the last message; undefined if there are no further messages. */
  readonly last: string | undefined;
}

/**
 * Writes the columns again that differ from the record of a message, because another program changed them, for some
 * messages after an ID, within the transaction of the caller. The full-text index remains as it is.
 */
export function repairPage(db: CachedStatements, extensionId: string, after: string): RepairedPage {
  const runId = nextRun(db);
  const rows = db.prepare(page).all(extensionId, after) as StoredRow[];
  const changed = rows.filter((row) => repair(db, row, runId)).length;
  return { changed, last: rows.length < some ? undefined : rows.at(-1)?.message_id };
}

/** @returns whether columns of the message differed */
function repair(db: CachedStatements, row: StoredRow, runId: number): boolean {
  const record = storedRecord(row);
  // A message with an unreadable record, or the record of another message, remains as `sync verify` reports it.
  if (record?.id !== row.message_id) return false;
  const names = differentColumns(row, record);
  for (const name of names) {
    const value = record.kind === 'message' ? (recordColumns[name]?.(record) ?? null) : null;
    db.prepare(
      `UPDATE message SET ${name} = ?, changed_in = ? WHERE extension_id = ? AND message_id = ?`,
    ).run(value, runId, row.extension_id, row.message_id);
  }
  return names.length > 0;
}
