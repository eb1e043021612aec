import type { CachedStatements } from '../../platform/cached-statements.ts';
import { recordColumns } from './message-table.ts';
import { differentColumns, storedRecord, type StoredRow, storedRowColumns } from './record-check.ts';

/** Number of messages that are read at a time. */
const some = 500;
const unseen = `SELECT ${storedRowColumns} FROM message WHERE extension_id = ? AND message_id > ? AND seen_in <> ?
  ORDER BY message_id LIMIT ${some}`;

/**
 * Writes the columns again that differ from the record of a message, because another program changed them, for messages
 * that a full sync did not return. @returns the number of changed messages
 */
export function repairUnseen(
  db: CachedStatements,
  { extensionId, runId }: { readonly extensionId: string; readonly runId: number },
): number {
  let changed = 0;
  for (let after = ''; ;) {
    const rows = db.prepare(unseen).all(extensionId, after, runId) as StoredRow[];
    for (const row of rows) if (repair(db, row, runId)) changed += 1;
    if (rows.length < some) return changed;
    after = rows.at(-1)?.message_id ?? after;
  }
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
