import type { Queries } from './postgres.ts';

/** Returns the time of the store in milliseconds since 1970. @throws {StoreError} */
export async function storeTime(db: Queries): Promise<number> {
  const [clock] = await db.query<{ now: number }>(
    'select (extract(epoch from store_now()) * 1000)::bigint as now',
  );
  return clock?.now ?? 0;
}
