import { statSync } from 'node:fs';
import { mirrorStatus, readCopy, retentionWarnings } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { statusColumns, statusRows } from './status.rows.ts';

export type SyncStatusOptions = CopyOptions;

/** `sync status`: every sync scope, read from the local copy without requests. */
export async function showSyncStatus(ctx: Context, options: SyncStatusOptions): Promise<void> {
  await readCopy(ctx, options, async (db, file) => {
    await ctx.out.list(mirrorStatus(db, ctx.now()), statusRows.pick(statusColumns));
    ctx.out.note(`${file}, ${Math.ceil(statSync(file).size / 1_000_000)} MB`);
    for (const warning of retentionWarnings(db, ctx.now())) ctx.out.warn(warning);
  });
}
