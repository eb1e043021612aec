import { join } from 'node:path';
import type { Context } from '../../../runtime/context.ts';
import type { Archive } from '../../../store/archive.ts';
import { openMedia } from '../open-media.ts';
import { PostgresCalls } from './calls.ts';
import { archiveStep } from './schema-steps.ts';
import { PostgresMessages } from './store.ts';

/**
 * The archive in the PostgreSQL store of the setting `store`.
 * @throws {CommandError} `store_not_initialized`, `store_older` or `store_newer` (exit 12). @throws {StoreError}
 */
export async function openStoreArchive(ctx: Context): Promise<Archive> {
  const [db, { requireSchema }] = await Promise.all([ctx.store(), import('../../../store/index.ts')]);
  const schema = await requireSchema(db, archiveStep);
  const profile = encodeURIComponent(ctx.settings.profile.value);
  return {
    messages: new PostgresMessages(db, schema),
    calls: new PostgresCalls(db, schema),
    media: await openMedia(ctx, join(ctx.paths.data, 'mailbox', `${profile}.media`)),
  };
}
