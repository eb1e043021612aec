import { DatabaseError } from '../../platform/database-error.ts';

/** Result code of SQLite for an error of a virtual table, which the full-text index is (SQLITE_CORRUPT_VTAB). */
const virtualTableError = 267;

/** Whether a write failed because of the full-text index, in a file that is otherwise intact. */
export function isIndexError(error: unknown): boolean {
  // `nameFailures` found no damage, and therefore reports an error of the disk.
  return error instanceof DatabaseError && error.problem === 'broken' && error.errcode === virtualTableError;
}
