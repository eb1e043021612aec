import { eventSubject } from '../../features/inbox/events/index.ts';
import { readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { eventView, toRow, type EventRow } from './event-row.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsListOptions extends WindowOptions {
  readonly events: readonly string[];
  readonly extension: readonly string[];
  readonly limit: number;
  readonly recovered?: boolean;
}

/** `events list`: the newest ones, oldest first. */
export async function listEvents(ctx: Context, options: EventsListOptions): Promise<void> {
  await withInbox(ctx, async (inbox) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = readWindow(options, ctx.now());
    const newest: EventRow[] = [];
    for (const stored of inbox.all(from)) {
      if (stored.receivedAt > to) continue;
      const row = toRow(stored);
      if (!isWanted(row, options)) continue;
      newest.push(row);
      if (newest.length > options.limit) newest.shift();
    }
    await ctx.out.list(newest, eventView);
  });
}

function isWanted(row: EventRow, { events, extension, recovered }: EventsListOptions): boolean {
  const { name, extensionId = '' } = eventSubject(row.event);
  if (recovered && !row.recovered) return false;
  if (extension.length > 0 && !extension.includes(extensionId)) return false;
  return (
    events.length === 0 ||
    events.some((one) => name === one || name.startsWith(`${one}:`) || row.event === one)
  );
}
