import { messageOf } from '../../errors/command.ts';
import type { Queries } from '../../platform/postgres/postgres.ts';
import { storeTime } from '../../platform/postgres/store-time.ts';

/**
 * Reads the time of the store. @returns the reason if the store did not respond; undefined if it responded.
 */
export async function pingStore(db: Queries): Promise<string | undefined> {
  try {
    await storeTime(db);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
