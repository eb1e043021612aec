import {
  eventSubject,
  extensionOf,
  presenceWord,
  wantedEvents,
  wordsOf,
} from '../../features/live/notification/index.ts';
import { recoveredOrigins, type StoredEvent, type TextFilter } from '../../features/live/index.ts';
import { readWindow } from '../../features/time-window/index.ts';
import type { Context } from '../../runtime/context.ts';
import type { WindowOptions } from '../../runtime/window-options.ts';
import { chosenExtensions, type ChosenExtensions } from './chosen-extensions.ts';
import { eventView, type EventRow } from './event.rows.ts';
import { newestEvents } from './newest-events.ts';
import { rowMaker, type RowMaker } from './to-row.ts';
import { withInbox } from './with-inbox.ts';
import { reportCut } from '../../runtime/report-cut.ts';

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
  const kinds = wantedEvents(options.events);
  const extensions = await chosenExtensions(ctx, options.extension);
  const filter = textFilter({ ...options, events: kinds }, extensions);
  const isListed = (row: EventRow): boolean =>
    isWanted(row, { ...options, events: kinds }) &&
    extensions.includes(extensionOf({ event: row.event ?? '', body: row.body }));
  await withInbox(ctx, { onlyReads: true }, async (inbox) => {
    const { from = 0, to = Number.POSITIVE_INFINITY } = readWindow(options, ctx);
    const asRow = rowMaker(ctx, inbox);
    if (options.all) {
      await ctx.out.list(listed(until(inbox.all(from, filter), to), asRow, isListed), eventView);
      return extensions.noteUnmatched(ctx);
    }
    const limit = options.limit ?? defaultLimit;
    const newest = until(inbox.newest(from, filter), to);
    const mayBeListed = ({ origin }: StoredEvent): boolean =>
      !options.recovered || recoveredOrigins.includes(origin);
    const { found, hasMore } = newestEvents(newest, limit, { mayBeListed, isListed });
    await ctx.out.list(
      found.map(({ stored, before }) => asRow(stored, before)),
      eventView,
    );
    if (hasMore)
      reportCut(
        ctx.out,
        `Showing the newest ${limit} events. Use --all or --limit N to show earlier ones.`,
        options.limit,
      );
    else extensions.noteUnmatched(ctx);
  });
}

/** Skips most events that the list does not show, but no earlier presence of a person whom the list shows. */
function textFilter({ events, recovered }: EventsListOptions, extensions: ChosenExtensions): TextFilter {
  const words = wordsOf(events);
  const showsPresence = words.length === 0 || words.includes(presenceWord);
  return {
    groups: [words, [...extensions.ids]],
    ...(recovered && { origins: { of: recoveredOrigins, or: showsPresence ? presenceWord : undefined } }),
  };
}

function* until(events: Iterable<StoredEvent>, to: number): Generator<StoredEvent> {
  for (const stored of events) if (stored.receivedAt <= to) yield stored;
}

function* listed(
  events: Iterable<StoredEvent>,
  asRow: RowMaker,
  isListed: (row: EventRow) => boolean,
): Generator<EventRow> {
  for (const stored of events) {
    const row = asRow(stored);
    if (isListed(row)) yield row;
  }
}

function isWanted(row: EventRow, { events, recovered }: EventsListOptions): boolean {
  const event = row.event ?? '';
  const { name } = eventSubject(event);
  if (recovered && !row.recovered) return false;
  return (
    events.length === 0 ||
    events.some((one) => name === one || name.startsWith(`${one}:`) || row.event === one)
  );
}
