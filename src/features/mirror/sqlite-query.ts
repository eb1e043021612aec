import type { QueryResult } from '../../store/message-store.ts';
import { distinctColumns } from './distinct-columns.ts';
import { columnNames, iterateRows, type Database } from '../../platform/sqlite.ts';

/** Runs one statement of the user. The first row is read immediately, so that an invalid statement fails here. */
export function querySqlite(db: Database, statement: string): QueryResult {
  const rows = iterateRows<Readonly<Record<string, unknown>>>(db, statement, [], { bigInts: true });
  const first = rows.next();
  const names = columnNames(db, statement);
  // The keys of a row are not the columns: they contain each name once, and names that are numbers come first.
  const columns = names.length > 0 || first.done ? names : Object.keys(first.value);
  return {
    columns: distinctColumns(columns),
    rows: all(first, rows),
  };
}

function* all<T>(first: IteratorResult<T>, rest: Iterator<T>): Generator<T> {
  for (let item = first; !item.done; item = rest.next()) yield item.value;
}
