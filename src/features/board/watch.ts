import { nextStep } from '../../errors/hint.ts';
import { footerTime, timeOfDay } from '../../platform/moment.ts';
import type { BoardScreen } from '../../runtime/output.ts';
import type { BoardRow } from './board.rows.ts';
import { Channel } from './channel.ts';
import { follow } from './follow.ts';
import type { BoardParts, BoardUpdate, UnreadableUpdate } from './parts.ts';
import { isUnanswered } from './outage.ts';
import { poll } from './poll.ts';
import { untilEnd } from './reads.ts';
import { Board } from './state.ts';

/** Milliseconds between two updates of the durations. */
const tick = 5000;
/** Milliseconds for which the footer shows that events were missed. */
const missedNoteMilliseconds = 300_000;
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
  const footer: Footer = {};
  const screen = (changed: readonly BoardRow[]): BoardScreen<BoardRow> => {
    const rows = board.rows();
    return {
      title: `${parts.title}  ${footer.silentSince === undefined ? '' : 'not up to date: '}${board.summary()}`,
      rows,
      footer: footerOf(isLive, parts, footer),
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
      const changes = updates.map((update) => changeBoard(parts, { board, footer }, update));
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

/** Values in the footer. Times are in milliseconds since 1970. */
interface Footer {
  missedAt?: number;
  /** Start of an outage; absent while the service replies. */
  silentSince?: number | undefined;
  /** Whether the outage is the end of the session. */
  isSignedOut?: boolean;
  /** The command that signs in again, if there is one. */
  signIn?: string | undefined;
}

/** Records whether the service replied to a read. Events do not count as replies. Returns whether the footer changes. */
function noteReply(
  footer: Footer,
  update: BoardUpdate,
  parts: Pick<BoardParts, 'now' | 'hintText'>,
): boolean {
  const isRead = update.kind === 'unreadable' || (update.kind === 'presence' && update.at === undefined);
  if (!isRead) return false;
  const { silentSince, signIn } = footer;
  const problem = isUnanswered(update) ? update : undefined;
  footer.silentSince = problem && (silentSince ?? parts.now());
  footer.isSignedOut = problem?.reason === 'signed out';
  footer.signIn = problem?.signIn && parts.hintText(problem.signIn);
  return footer.silentSince !== silentSince || footer.signIn !== signIn;
}

function footerOf(isLive: boolean, parts: Pick<BoardParts, 'now' | 'zone'>, footer: Footer): string {
  const { zone } = parts;
  const now = parts.now();
  const { missedAt } = footer;
  const isRecent = missedAt !== undefined && now - missedAt < missedNoteMilliseconds;
  const missed = isRecent ? ` · events missed, all read again at ${timeText(missedAt, zone)}` : '';
  return `${sourceText(isLive, footer, zone)} · ${footerTime(now, zone)}${missed}`;
}

/** Returns how the board gets its data, or why it gets none. */
function sourceText(
  isLive: boolean,
  { silentSince, isSignedOut, signIn }: Footer,
  zone: string | undefined,
): string {
  if (silentSince === undefined) return isLive ? 'live' : 'polling';
  const since = `since ${timeText(silentSince, zone)}`;
  if (!isSignedOut) return `no reply from the service ${since}, retrying`;
  return `signed out ${since}${signIn === undefined ? '' : `: ${signIn}`}`;
}

/** Returns a time of day in the zone of the footer, such as `12:30:59`. */
function timeText(at: number, zone: string | undefined): string {
  return timeOfDay(new Date(at).toISOString(), zone);
}

/** Applies an update. Returns the changed rows, and whether the screen differs. */
function changeBoard(
  parts: Pick<BoardParts, 'now' | 'hintText' | 'onProblem' | 'onOutdated'>,
  { board, footer }: { readonly board: Board; readonly footer: Footer },
  update: BoardUpdate,
): { readonly rows: readonly BoardRow[]; readonly isVisible: boolean } {
  if (update.kind === 'missed') footer.missedAt = parts.now();
  const isNewState = noteReply(footer, update, parts);
  const rows = applyUpdate(board, update, parts.now());
  if (update.kind === 'unreadable') reportUnreadable(parts, update, { rows, isNewState });
  const isOfOne = update.kind === 'presence' || update.kind === 'unreadable';
  return { rows, isVisible: !isOfOne || isNewState || rows.length > 0 };
}

/** Reports a read that failed: the end of the session once, any other problem once for each person. */
function reportUnreadable(
  { onProblem, onOutdated }: Pick<BoardParts, 'onProblem' | 'onOutdated'>,
  { reason, text }: UnreadableUpdate,
  { rows, isNewState }: { readonly rows: readonly BoardRow[]; readonly isNewState: boolean },
): void {
  if (reason !== 'signed out') for (const { name } of rows) onProblem(nextStep`${name}: ${text}`);
  else if (isNewState) onOutdated(nextStep`the board is not up to date: ${text}`);
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
