import { statSync } from 'node:fs';
import { mirrorStatus, readCopy, retentionWarnings, type StreamStatus } from '../../features/mirror/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import type { View } from '../../runtime/output.ts';

export type SyncStatusOptions = CopyOptions;

const view: View<StreamStatus> = {
  columns: [
    { key: 'mailbox', title: 'MAILBOX', kind: 'id', value: (row) => row.mailbox, priority: 9 },
    { key: 'type', title: 'TYPE', value: (row) => row.type ?? 'all', priority: 3 },
    { key: 'messages', title: 'MESSAGES', kind: 'number', value: (row) => row.messages, priority: 8 },
    { key: 'gone', title: 'GONE', kind: 'number', value: (row) => row.gone, priority: 2 },
    { key: 'errors', title: 'ERRORS', kind: 'number', value: (row) => row.errors, priority: 7 },
    { key: 'syncTime', title: 'COPIED', kind: 'time', value: (row) => row.syncTime, priority: 6 },
    { key: 'lagSeconds', title: 'LAG (S)', kind: 'number', value: (row) => row.lagSeconds, priority: 5 },
    { key: 'dateFrom', title: 'FROM', kind: 'time', value: (row) => row.dateFrom, priority: 1 },
  ],
  empty: 'Nothing is copied yet.',
};

/** `sync status`: every frame, from the copy alone. */
export async function showSyncStatus(ctx: Context, options: SyncStatusOptions): Promise<void> {
  await readCopy(ctx, options, async (db, file) => {
    await ctx.out.list(mirrorStatus(db, ctx.now()), view);
    ctx.out.note(`${file}, ${Math.ceil(statSync(file).size / 1_000_000)} MB`);
    for (const warning of retentionWarnings(db, ctx.now())) ctx.out.warn(warning);
  });
}
