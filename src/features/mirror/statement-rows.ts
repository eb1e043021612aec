import { columnNames, iterateRows, type Database } from '../../platform/sqlite.ts';

type Row = Readonly<Record<string, unknown>>;

/** Runs a statement. The first row is read immediately, so that an invalid statement fails here. */
export function rowsOf(
  db: Database,
  statement: string,
): { readonly columns: readonly string[]; readonly rows: Iterable<Row> } {
  const rows = iterateRows<Row>(db, statement, [], { bigInts: true });
  const first = rows.next();
  const names = columnNames(db, statement);
  // The keys of a row are not the columns: they contain each name once, and names that are numbers come first.
  const columns = names.length > 0 || first.done ? names : Object.keys(first.value);
  return { columns, rows: all(first, rows) };
}

function* all<T>(first: IteratorResult<T>, rest: Iterator<T>): Generator<T> {
  for (let item = first; !item.done; item = rest.next()) yield item.value;
}
