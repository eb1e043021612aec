import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Context } from '../../runtime/context.ts';

/**
 * The store, for commands of the fleet.
 * @throws {CommandError} `store_not_initialized`, `store_older` or `store_newer` (exit 12). @throws {StoreError}
 */
export async function openFleet(ctx: Context): Promise<Postgres> {
  const [db, { requireSchema }] = await Promise.all([ctx.store(), import('../../store/index.ts')]);
  await requireSchema(db);
  return db;
}
