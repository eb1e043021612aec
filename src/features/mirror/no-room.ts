import { troubleOf } from '../../platform/database-error.ts';

/** Bytes of database and journal for each byte of a reply, measured with texts of usual length, and a reserve. */
const roomForEachByte = 4;

/** The disk, or the size that the database may have, is not enough. The copy is as it was. */
export class NoRoomError extends Error {
  override readonly name = 'NoRoomError';
  /** Room that the reply would have taken, in bytes; rather too much. */
  readonly neededBytes: number;

  constructor(replyBytes: number, cause: unknown) {
    super('there is no room for the messages', { cause });
    this.neededBytes = replyBytes * roomForEachByte;
  }
}

/** Whether SQLite (SQLITE_FULL, 13) or the file system found no room. */
export function isFull(error: unknown): boolean {
  return troubleOf(error) === 'full';
}
