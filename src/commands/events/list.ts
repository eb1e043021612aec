import { eventSubject, extensionOf, wantedEvents } from '../../features/live/notification/index.ts';
import type { StoredEvent } from '../../features/live/index.ts';
import { readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { eventView, type EventRow } from './event.rows.ts';
import { rowMaker } from './to-row.ts';
import { withInbox } from './with-inbox.ts';

export interface EventsListOptions extends WindowOptions {
  readonly events: readonly string[];
  readonly extension: readonly string[];
  readonly limit?: number;
  readonly all?: boolean;
  readonly recovered?: boolean;
}

const defaultLimit = 100;

/** `events list`: the newest events, oldest first. */
export async function listEvents(ctx: Context, options: EventsListOptions): Promise<void> {
  const events = wantedEvents(options.events);
  await withInbox(ctx, { onlyReads: true }, async (inbox) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = readWindow(options, ctx.now());
    const wanted = wantedRows(inbox.all(from), to, rowMaker(ctx, inbox), { ...options, events });
    if (options.all) return ctx.out.list(wanted, eventView);
    const limit = options.limit ?? defaultLimit;
    const newest: EventRow[] = [];
    let found = 0;
    for (const row of wanted) {
      found += 1;
      newest.push(row);
      if (newest.length > limit) newest.shift();
    }
    await ctx.out.list(newest, eventView);
    if (found > limit)
      ctx.out.note(`Showing the newest ${limit} of ${found} events. Use --all or --limit N to show more.`);
  });
}

function* wantedRows(
  events: Iterable<StoredEvent>,
  to: number,
  toRow: (stored: StoredEvent) => EventRow,
  options: EventsListOptions,
): Generator<EventRow> {
  for (const stored of events) {
    if (stored.receivedAt > to) continue;
    const row = toRow(stored);
    if (isWanted(row, options)) yield row;
  }
}

function isWanted(row: EventRow, { events, extension, recovered }: EventsListOptions): boolean {
  const event = row.event ?? '';
  const { name } = eventSubject(event);
  if (recovered && !row.recovered) return false;
  if (extension.length > 0 && !extension.includes(extensionOf({ event, body: row.body }) ?? '')) return false;
  return (
    events.length === 0 ||
    events.some((one) => name === one || name.startsWith(`${one}:`) || row.event === one)
  );
}
