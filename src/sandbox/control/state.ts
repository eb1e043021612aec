import { createHash } from 'node:crypto';
import type { Database } from '../../platform/sqlite.ts';
import type { World } from '../world/world.ts';

/** Not counted as state: what it holds depends on when it was last written. */
const uncounted = new Set(['requestLog']);
/** How often and when a notification went out depends on the network, and on whether the process was killed meanwhile. */
const uncountedColumns: Readonly<Record<string, readonly string[]>> = {
  delivery: ['attempts', 'finishedAt'],
};

/** Names of the tables, in order. */
export function tablesOf(db: Database): readonly string[] {
  const sql =
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
  return (db.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
}

/** Empties every table. In a transaction. */
export function clearTables(db: Database): void {
  db.exec('PRAGMA defer_foreign_keys = ON');
  for (const table of tablesOf(db)) db.exec(`DELETE FROM ${table}`);
}

/** SHA-256 of every row of every table but the request log, without the progress of deliveries: equal states have equal hashes. */
export function hashState(world: World): string {
  const db = world.database;
  const hash = createHash('sha256');
  for (const table of tablesOf(db)) {
    if (uncounted.has(table)) continue;
    const columns = (db.prepare(`SELECT name FROM pragma_table_info('${table}')`).all() as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => !uncountedColumns[table]?.includes(name));
    const order = columns.map((_name, index) => index + 1).join(', ');
    const quoted = columns.map((name) => `quote("${name}") AS "${name}"`).join(', ');
    hash.update(`\n${table}\n`);
    for (const row of db.prepare(`SELECT ${quoted} FROM ${table} ORDER BY ${order}`).iterate()) {
      hash.update(`${Object.values(row as Record<string, string>).join('|')}\n`);
    }
  }
  return hash.digest('hex');
}
