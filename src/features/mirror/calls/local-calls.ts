import type { CallLogRecord } from '../../../contract/call-log.ts';
import { parseJson } from '../../../platform/json.ts';
import type { CallFilter } from '../../../store/call-store.ts';
import { iterateRows, type Database } from '../../../platform/sqlite.ts';

/** Yields the unchanged records of the service, latest first, with one record in memory at a time. */
export function* localCalls(db: Database, filter: CallFilter): Generator<CallLogRecord, void, undefined> {
  const { scope, from, to, direction = [], type = [] } = filter;
  const among = (column: string, values: readonly string[]): string =>
    values.length === 0 ? '' : ` AND ${column} IN (${values.map(() => '?').join(', ')})`;
  const sql = `SELECT raw FROM call_record WHERE scope = ? AND start_time BETWEEN ? AND ?
    ${among('direction', direction)}${among('type', type)} ORDER BY start_time DESC, record_id`;
  const values = [scope, new Date(from).toISOString(), new Date(to).toISOString(), ...direction, ...type];
  for (const { raw } of iterateRows<{ readonly raw: string }>(db, sql, values)) {
    yield parseJson(raw) as CallLogRecord;
  }
}
