import { databaseProblemOf } from '../../platform/database-error.ts';

/** Estimated bytes of database and journal per byte of a reply. Measured with texts of usual length, plus a reserve. */
const roomForEachByte = 4;

/** The error for a full disk or a database that reached its maximum size. The copy is unchanged. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
  /** Estimated number of bytes that the reply would have needed. The estimate is deliberately high. */
  readonly neededBytes: number;

  constructor(replyBytes: number, cause: unknown) {
    super('the disk is full', { cause });
    this.neededBytes = replyBytes * roomForEachByte;
  }
}

/** Whether SQLite (SQLITE_FULL, 13) or the file system reported a full disk. */
export function isFull(error: unknown): boolean {
  return databaseProblemOf(error) === 'full';
}
