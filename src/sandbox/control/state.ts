import { createHash } from 'node:crypto';
import { iterateRows, type Database } from '../../platform/sqlite.ts';
import type { World } from '../world/world.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** Tables that the hash omits, because the content of the request log depends on the time of the last write. */
const unhashedTables = new Set(['requestLog']);
/** Columns that the hash omits, because attempts and times of deliveries depend on the network and on restarts. */
const unhashedColumns: Readonly<Record<string, readonly string[]>> = lookupTable({
  delivery: ['attempts', 'finishedAt'],
});

/** Returns the names of the tables, sorted. */
export function tablesOf(db: Database): readonly string[] {
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  return (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
}

/** Deletes all rows; the caller opens the transaction. */
export function clearTables(db: Database): void {
  db.exec('PRAGMA defer_foreign_keys = ON');
  for (const table of tablesOf(db)) db.exec(`DELETE FROM ${table}`);
}

/** SHA-256 of all rows, without the request log and the progress of deliveries. Equal states have equal hashes. */
export function hashState(world: World): string {
  const db = world.database;
  const hash = createHash('sha256');
  for (const table of tablesOf(db)) {
    if (unhashedTables.has(table)) continue;
    const columns = (db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => !unhashedColumns[table]?.includes(name));
    const order = columns.map((_name, index) => index + 1).join(', ');
    const quoted = columns.map((name) => `quote("${name}") AS "${name}"`).join(', ');
    hash.update(`\n${table}\n`);
    const rows = iterateRows<Record<string, string>>(db, `SELECT ${quoted} FROM ${table} ORDER BY ${order}`);
    for (const row of rows) hash.update(`${Object.values(row).join('|')}\n`);
  }
  return hash.digest('hex');
}
