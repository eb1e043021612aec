import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { Context } from '../../../runtime/context.ts';
import type { Archive } from '../../../store/archive.ts';
import { openStoreArchive } from './open.ts';

/**
 * Opens the store for commands that need retention rules and legal holds.
 * @throws {CommandError} `store_older` (exit 12) during an upgrade. @throws {StoreError}
 */
export async function openCompliance(
  ctx: Context,
  purpose: 'read' | 'change',
): Promise<{ readonly db: Postgres; readonly archive: Archive }> {
  const [db, { requireSchema }] = await Promise.all([ctx.store(), import('../../../store/index.ts')]);
  await requireSchema(db);
  return { db, archive: await openStoreArchive(ctx, purpose) };
}
