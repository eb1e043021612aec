import { join } from 'node:path';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { Context } from '../../../runtime/context.ts';
import type { Archive } from '../../../store/archive.ts';
import { openMedia } from '../open-media.ts';
import type { CommitGuard } from './apply.ts';
import { PostgresCalls } from './calls.ts';
import { archiveIdOf } from './archive-id.ts';
import { PostgresMessages } from './store.ts';

/**
 * The archive in the PostgreSQL store of the setting `store`.
 * @throws {CommandError} `store_not_initialized`, `store_older`, `store_newer` or `store_restored` (exit 12). @throws
 * {StoreError}
 */
export async function openStoreArchive(ctx: Context, purpose: 'read' | 'change'): Promise<Archive> {
  return (await guardedArchives(ctx, purpose))();
}

/** Opens the archive with its store, for commands of retention rules and legal holds. @throws as `openStoreArchive`. */
export async function openCompliance(
  ctx: Context,
  purpose: 'read' | 'change',
): Promise<{ readonly db: Postgres; readonly archive: Archive }> {
  return { db: await ctx.store(), archive: await openStoreArchive(ctx, purpose) };
}

/**
 * Opens the archive once for several guards. Each archive that the returned function creates calls its guard in every
 * transaction that stores data. These transactions also fail if a newer version of ucctl has migrated the store
 * meanwhile. @throws as `openStoreArchive`.
 */
export async function guardedArchives(
  ctx: Context,
  purpose: 'read' | 'change',
): Promise<(guard?: CommitGuard) => Archive> {
  const [db, { requireKnownSchema, requireOwnTransactions }] = await Promise.all([
    ctx.store(),
    import('../../../store/index.ts'),
  ]);
  // A process that runs for a long time, such as `console`, opens the archive again and again.
  await requireKnownSchema(db);
  if (purpose === 'change') await requireOwnTransactions(db);
  const profile = encodeURIComponent(ctx.settings.profile.value);
  const defaultFolder = join(ctx.paths.data, 'mailbox', `${profile}.media`);
  const archiveId = await archiveIdOf(db);
  const media = await openMedia(ctx, { defaultFolder, isShared: true, archiveId });
  return (guard) => {
    const wholeGuard: CommitGuard = async (transaction) => {
      await requireKnownSchema(db, transaction);
      await guard?.(transaction);
    };
    return {
      messages: new PostgresMessages(db, wholeGuard),
      calls: new PostgresCalls(db, wholeGuard),
      media,
    };
  };
}
