import type { Database } from '../../../platform/sqlite.ts';
import { hasCalls } from './schema.ts';

const involved = "numbers LIKE '% ' || ? || ' %'";

/** Returns the number of call records with this number, either as caller or callee or in a leg. */
export function callsOf(db: Database, number: string): number {
  if (!hasCalls(db)) return 0;
  const row = db.prepare(`SELECT count(*) AS calls FROM call_record WHERE ${involved}`).get(number);
  return (row as { readonly calls: number }).calls;
}

/** Removes the call records with this number, within the transaction of the caller. @returns their number. */
export function eraseCalls(db: Database, number: string): number {
  if (!hasCalls(db)) return 0;
  return db.prepare(`DELETE FROM call_record WHERE ${involved}`).run(number).changes;
}
