import { messageOf } from '../../errors/command.ts';
import type { Queries } from '../../platform/postgres/postgres.ts';
import { storeTime } from '../../platform/postgres/store-time.ts';

/** Asks the store for its time. @returns why it did not answer; undefined if it did. */
export async function pingStore(db: Queries): Promise<string | undefined> {
  try {
    await storeTime(db);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
