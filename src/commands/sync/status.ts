import { readCopy } from '../../features/mirror/index.ts';
import type { CopiedCalls } from '../../store/call-store.ts';
import type { StreamStatus } from '../../store/mailbox.ts';
import type { Context } from '../../runtime/context.ts';
import type { CopyOptions } from '../../runtime/copy-options.ts';
import { statusColumns, statusRows, type StatusRow } from './status.rows.ts';

export type SyncStatusOptions = CopyOptions;

/** `sync status`: shows every sync scope of the local mailbox copy; sends no requests. */
export async function showSyncStatus(ctx: Context, options: SyncStatusOptions): Promise<void> {
  await readCopy(ctx, options, async ({ messages, calls }) => {
    const now = ctx.now();
    const copied = [
      ...(await messages.status(now)).map((one) => rowOfMessages(one)),
      ...(await calls.status(now)).map((one) => rowOfCalls(one)),
    ];
    await ctx.out.list(copied, statusRows.pick(statusColumns));
    ctx.out.note(`${messages.location}, ${Math.ceil((await messages.size()) / 1_000_000)} MB`);
    for (const warning of await messages.retentionWarnings(now)) ctx.out.warn(warning);
  });
}

/** Returns the row of copied messages, which has no number of calls. */
function rowOfMessages(copied: StreamStatus): StatusRow {
  return { ...copied, calls: null };
}

/** Returns the row of copied calls, which has a number of calls in place of messages. */
function rowOfCalls({ scope, ...copied }: CopiedCalls): StatusRow {
  return {
    mailbox: scope,
    extensionId: scope,
    type: 'Calls',
    direction: null,
    messages: 0,
    deleted: 0,
    errors: 0,
    fullSyncTime: null,
    ...copied,
  };
}
