import type { CachedStatements } from '../../platform/cached-statements.ts';
import { MessageTable, recordColumns } from './message-table.ts';
import { nextRun } from './next-run.ts';
import { differentColumns, storedRecord, type StoredRow, storedRowColumns } from './record-check.ts';

/** Number of messages that are read at a time. */
const some = 500;
const page = `SELECT pk, ${storedRowColumns} FROM message WHERE extension_id = ? AND message_id > ?
  ORDER BY message_id LIMIT ${some}`;

/** The result of the repair of some messages. */
export interface RepairedPage {
  /** Number of messages that were changed. */
  readonly changed: number;
  /** The ID of the last message; undefined if there are no further messages. */
  readonly last: string | undefined;
}

/** A stored message with its key. */
type KeyedRow = StoredRow & { readonly pk: number };

/** New values of the columns of a message, by their names. */
interface Repair {
  readonly pk: number;
  readonly columns: Readonly<Record<string, string | number | null>>;
}

/**
 * Writes the columns again that differ from the record of a message, because another program changed them, for some
 * messages after an ID, within the transaction of the caller. The full-text index must contain the words of the present
 * columns, and contains those of the new columns afterwards.
 */
export function repairPage(db: CachedStatements, extensionId: string, after: string): RepairedPage {
  const runId = nextRun(db);
  const rows = db.prepare(page).all(extensionId, after) as KeyedRow[];
  const repairs = rows.flatMap((row) => repairOf(row) ?? []);
  new MessageTable(db, extensionId, runId).rewrite(
    repairs.map(({ pk }) => pk),
    () => {
      for (const repair of repairs) write(db, repair, runId);
    },
  );
  return { changed: repairs.length, last: rows.length < some ? undefined : rows.at(-1)?.message_id };
}

/** Returns the repair of a message; undefined if its columns are those of its record. */
function repairOf(row: KeyedRow): Repair | undefined {
  const record = storedRecord(row);
  // A message with an unreadable record, or the record of another message, remains as `sync verify` reports it.
  if (record?.id !== row.message_id) return undefined;
  const names = differentColumns(row, record);
  if (names.length === 0) return undefined;
  const valueOf = (name: string) =>
    record.kind === 'message' ? (recordColumns[name]?.(record) ?? null) : null;
  return { pk: row.pk, columns: Object.fromEntries(names.map((name) => [name, valueOf(name)])) };
}

function write(db: CachedStatements, { pk, columns }: Repair, runId: number): void {
  const assignments = Object.keys(columns).map((name) => `${name} = ?`);
  db.prepare(`UPDATE message SET changed_in = ?, ${assignments.join(', ')} WHERE pk = ?`).run(
    runId,
    ...Object.values(columns),
    pk,
  );
}
