import { prepareNamed } from '../named-statement.ts';
import { transaction, type Database } from '../sqlite.ts';

/** A column that older versions of ucctl did not create. */
interface LaterColumn {
  readonly table: string;
  readonly column: string;
  readonly type: 'TEXT' | 'REAL';
}

/** Adds a column unless the table has it. Several processes may do this at the same time. */
export function ensureColumn(db: Database, later: LaterColumn): void {
  if (hasColumn(db, later)) return;
  transaction(db, () => {
    const { table, column, type } = later;
    if (!hasColumn(db, later)) db.exec(`ALTER TABLE ${table} ADD COLUMN ${column} ${type}`);
  });
}

/** Whether the table has the column. A file of an older version that was opened for reading may lack it. */
export function hasColumn(db: Database, { table, column }: LaterColumn): boolean {
  const columns = prepareNamed<{ readonly name: string }>(db, `PRAGMA table_info(${table})`).all();
  return columns.some(({ name }) => name === column);
}
