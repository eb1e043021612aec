import { transaction, type Database } from '../../../platform/sqlite.ts';
import { hasCalls } from './schema.ts';

const involved = "numbers LIKE '% ' || ? || ' %'";

/** Number of call records with this number, either as caller or callee or in a leg. */
export function callsOf(db: Database, number: string): number {
  if (!hasCalls(db)) return 0;
  const row = db.prepare(`SELECT count(*) AS calls FROM call_record WHERE ${involved}`).get(number);
  return (row as { readonly calls: number }).calls;
}

/** Removes the call records with this number and overwrites their data. */
export function eraseCalls(db: Database, number: string): void {
  if (!hasCalls(db)) return;
  db.exec('PRAGMA secure_delete = ON');
  transaction(db, () => db.prepare(`DELETE FROM call_record WHERE ${involved}`).run(number));
}
