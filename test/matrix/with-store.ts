import type { Postgres } from '../../src/store/index.ts';
import { testStore } from '../support/postgres.ts';

/** The words with the address of a store that `prepare` fills. */
export function withStore(words: string, prepare?: (db: Postgres) => Promise<unknown>) {
  return async (): Promise<readonly string[]> => {
    const { db, url } = await testStore();
    await prepare?.(db);
    return [...words.split(' ').filter(Boolean), '--store', url];
  };
}
