import type { CallLogRecord } from '../../contract/call-log.ts';
import { parseJson } from '../../platform/json.ts';
import { iterateRows, type Database } from '../../platform/sqlite.ts';

/** Selects calls of the copy. Times are milliseconds since 1970; both ends are included. */
export interface LocalFilter {
  readonly scope: string;
  readonly from: number;
  readonly to: number;
  readonly direction?: readonly string[];
  readonly type?: readonly string[];
}

/** The unchanged records of the service, latest first, one in memory at a time. */
export function* localCalls(db: Database, filter: LocalFilter): Generator<CallLogRecord, void, undefined> {
  const { scope, from, to, direction = [], type = [] } = filter;
  const among = (column: string, values: readonly string[]): string =>
    values.length === 0 ? '' : ` AND ${column} IN (${values.map(() => '?').join(', ')})`;
  const sql = `SELECT raw FROM call_record WHERE scope = ? AND start_time BETWEEN ? AND ?
    ${among('direction', direction)}${among('type', type)} ORDER BY start_time DESC, pk`;
  const values = [scope, new Date(from).toISOString(), new Date(to).toISOString(), ...direction, ...type];
  for (const { raw } of iterateRows<{ readonly raw: string }>(db, sql, values)) {
    yield parseJson(raw) as CallLogRecord;
  }
}
