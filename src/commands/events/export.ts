import type { Inbox, StoredEvent } from '../../features/inbox/index.ts';
import type { Context } from '../../runtime/context.ts';
import { eventView, toRow } from './event-row.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsExportOptions {
  readonly since?: number;
}

/** `events export`: every event, one a line. */
export async function exportEvents(ctx: Context, { since }: EventsExportOptions): Promise<void> {
  await withInbox(ctx, async (inbox) => {
    const from = since === undefined ? 0 : ctx.now() - since * 1000;
    await ctx.out.stream(rows(inbox, from), { ...eventView, line: (row) => JSON.stringify(row) });
  });
}

async function* rows(inbox: Inbox, since: number) {
  for (const stored of inbox.all(since) as Iterable<StoredEvent>) yield toRow(stored);
}
