import type { QueryResult } from '../../store/message-store.ts';
import type { Database } from '../../platform/sqlite.ts';
import { distinctColumns } from './distinct-columns.ts';
import { rowsOf } from './statement-rows.ts';

/** Runs one statement of the user. */
export function querySqlite(db: Database, statement: string): QueryResult {
  const { columns, rows } = rowsOf(db, statement);
  return { columns: distinctColumns(columns), rows };
}
