import { testStore } from '../support/postgres.ts';
import type { Desk, Prepare } from './desk.ts';

/** The words with the address of a store that `prepare` fills, a new one for each run. */
export function withStore(words: string, prepare?: Prepare) {
  return async (): Promise<readonly string[]> => {
    const { db, url } = await testStore();
    await prepare?.(db);
    return [...words.split(' ').filter(Boolean), '--store', url];
  };
}

/** The same for a command that changes nothing in the store: all its runs use one store. */
export function withSharedStore(words: string, prepare?: Prepare) {
  return async (desk: Desk): Promise<readonly string[]> => {
    const { url } = await desk.store(prepare);
    return [...words.split(' ').filter(Boolean), '--store', url];
  };
}
