import { messageOf } from '../../errors/command.ts';
import type { Queries } from '../../platform/postgres/postgres.ts';

/** Asks the store for its time. @returns why it did not answer; undefined if it did. */
export async function pingStore(db: Queries): Promise<string | undefined> {
  try {
    await db.query('select store_now()');
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
