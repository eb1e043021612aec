import type { BoardScreen } from '../../runtime/output.ts';
import type { BoardRow } from './board.rows.ts';
import { Channel } from './channel.ts';
import { follow } from './follow.ts';
import type { BoardParts, BoardUpdate } from './parts.ts';
import { isUnanswered } from './outage.ts';
import { poll } from './poll.ts';
import { untilEnd } from './reads.ts';
import { Board } from './state.ts';

/** Milliseconds between two updates of the durations. */
const tick = 5000;
const boardHelp = [
  [
    'FOR',
    'time in this state, or since the start of the call; 5m+ means at least five minutes, ? means not known yet',
  ],
  [
    'CALL',
    'the caller and, after →, the queue of a call to a queue; for an outbound call, the called number',
  ],
  ['QUEUE CALLS', 'whether the person accepts calls from queues'],
] as const;

/** Explains durations whose start the service does not report; empty if every start is known. */
function notesOf(rows: readonly BoardRow[]): BoardScreen<BoardRow>['notes'] {
  if (rows.every(({ isStartKnown }) => isStartKnown)) return [];
  return [{ column: 'FOR', text: 'FOR: ? means before this board opened; 5m+ means at least 5 minutes' }];
}

/**
 * Yields a screen for the changes that are waiting, until the signal aborts. Reads everyone once; then events or polling
 * provide the updates. If no more events can arrive, polling replaces them.
 */
export async function* watchBoard(parts: BoardParts): AsyncGenerator<BoardScreen<BoardRow>, void, undefined> {
  const board = new Board();
  const channel = new Channel<BoardUpdate>();
  const end = (): void => channel.close();
  parts.signal.addEventListener('abort', end);
  if (parts.signal.aborted) end();
  let isLive = parts.feed !== undefined;
  const times: FooterTimes = {};
  const screen = (changed: readonly BoardRow[]): BoardScreen<BoardRow> => {
    const rows = board.rows();
    return {
      title: `${parts.title}  ${times.silentSince === undefined ? '' : 'not up to date: '}${board.summary()}`,
      rows,
      footer: footerOf(isLive, parts.now(), times),
      help: boardHelp,
      notes: notesOf(rows),
      changed,
    };
  };
  const receive = async (): Promise<void> => {
    if (parts.feed) await follow(parts, parts.feed, channel);
    isLive = false;
    await poll(parts, channel);
  };
  const sources = [ticks(parts, channel), receive()];
  try {
    for await (const updates of channel.read()) {
      const changes = updates.map((update) => changeBoard(parts, { board, times }, update));
      if (changes.some(({ isVisible }) => isVisible)) yield screen(changes.flatMap(({ rows }) => rows));
    }
  } finally {
    parts.signal.removeEventListener('abort', end);
    channel.close();
    // The sources end when the signal aborts. If the output was closed first, this code does not wait for
    // the sources.
    if (parts.signal.aborted) await Promise.allSettled(sources);
  }
}

/** Times in the footer, in milliseconds since 1970. */
interface FooterTimes {
  missedAt?: number;
  /** Start of an outage; absent while the service replies. */
  silentSince?: number | undefined;
}

/** Records whether the service replied to a read. Events do not count as replies. Returns whether the footer changes. */
function noteReply(times: FooterTimes, update: BoardUpdate, now: number): boolean {
  const isRead = update.kind === 'unreadable' || (update.kind === 'presence' && update.at === undefined);
  if (!isRead) return false;
  const before = times.silentSince;
  times.silentSince = isUnanswered(update) ? (before ?? now) : undefined;
  return times.silentSince !== before;
}

function footerOf(isLive: boolean, now: number, { missedAt, silentSince }: FooterTimes): string {
  const missed =
    missedAt === undefined
      ? ''
      : ` · events were missed, and everyone was read again at ${timeText(missedAt)}`;
  const source = isLive ? 'live' : 'polling';
  const state =
    silentSince === undefined ? source : `no reply from the service since ${timeText(silentSince)}`;
  return `${state} · ${timeText(now)} UTC${missed}`;
}

/** `12:30:59` */
function timeText(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Applies an update. Returns the changed rows, and whether the screen differs. */
function changeBoard(
  { now, onProblem }: Pick<BoardParts, 'now' | 'onProblem'>,
  { board, times }: { readonly board: Board; readonly times: FooterTimes },
  update: BoardUpdate,
): { readonly rows: readonly BoardRow[]; readonly isVisible: boolean } {
  if (update.kind === 'missed') times.missedAt = now();
  const isNewState = noteReply(times, update, now());
  const rows = applyUpdate(board, update, now());
  if (update.kind === 'unreadable') for (const { name } of rows) onProblem(`${name}: ${update.text}`);
  const isOfOne = update.kind === 'presence' || update.kind === 'unreadable';
  return { rows, isVisible: !isOfOne || isNewState || rows.length > 0 };
}

function applyUpdate(board: Board, update: BoardUpdate, now: number): readonly BoardRow[] {
  if (update.kind === 'people') return board.setPeople(update.people, now);
  const row =
    update.kind === 'presence'
      ? board.update(update.id, update.fields, now, update.at)
      : update.kind === 'unreadable' && board.markUnreadable(update.id, update.reason);
  return row ? [row] : [];
}

async function ticks(parts: BoardParts, channel: Channel<BoardUpdate>): Promise<void> {
  await untilEnd(channel, async () => {
    await parts.sleep(tick);
    channel.push({ kind: 'tick' });
  });
}
