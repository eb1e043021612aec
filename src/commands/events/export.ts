import type { Inbox, StoredEvent } from '../../features/live/index.ts';
import { readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { eventView } from './event.rows.ts';
import { toRow } from './to-row.ts';
import { withInbox } from './with-inbox.ts';

export type EventsExportOptions = WindowOptions;

/** `events export`: writes every event of the time window, one per line. */
export async function exportEvents(ctx: Context, options: EventsExportOptions): Promise<void> {
  await withInbox(ctx, { onlyReads: true }, async (inbox) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = readWindow(options, ctx);
    await ctx.out.stream(rows(inbox, from, to), { ...eventView, line: (row) => JSON.stringify(row) });
  });
}

async function* rows(inbox: Inbox, from: number, to: number) {
  for (const stored of inbox.all(from) as Iterable<StoredEvent>) {
    if (stored.receivedAt <= to) yield toRow(stored);
  }
}
