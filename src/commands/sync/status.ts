import { readCopy } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { statusColumns, statusRows } from './status.rows.ts';

export type SyncStatusOptions = CopyOptions;

/** `sync status`: shows every sync scope of the local mailbox copy; sends no requests. */
export async function showSyncStatus(ctx: Context, options: SyncStatusOptions): Promise<void> {
  await readCopy(ctx, options, async ({ messages }) => {
    await ctx.out.list(await messages.status(ctx.now()), statusRows.pick(statusColumns));
    ctx.out.note(`${messages.location}, ${Math.ceil((await messages.size()) / 1_000_000)} MB`);
    for (const warning of await messages.retentionWarnings(ctx.now())) ctx.out.warn(warning);
  });
}
