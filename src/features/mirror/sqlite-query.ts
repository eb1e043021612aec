import type { QueryResult } from '../../store/message-store.ts';
import { columnNames, iterateRows, type Database } from '../../platform/sqlite.ts';

/** Runs one statement of the user. The first row is read immediately, so that an invalid statement fails here. */
export function querySqlite(db: Database, statement: string): QueryResult {
  const rows = iterateRows<Readonly<Record<string, unknown>>>(db, statement, [], { bigInts: true });
  const first = rows.next();
  return {
    columns: first.done ? columnNames(db, statement) : Object.keys(first.value),
    rows: all(first, rows),
  };
}

function* all<T>(first: IteratorResult<T>, rest: Iterator<T>): Generator<T> {
  for (let item = first; !item.done; item = rest.next()) yield item.value;
}
