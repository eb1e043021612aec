import { dialects } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { boardFilters } from './members.ts';
import { NotificationQueue, type QueuedNotification } from './notification-queue.ts';
import { boardView } from './view.ts';
import type { BoardParts } from './parts.ts';
import { watchBoard } from './watch.ts';

/** The live events of a board. */
export interface BoardSession {
  /** Changes the event filters. */
  watch(eventFilters: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The events that a board needs, and its handlers of the session. */
export interface BoardEvents {
  readonly eventFilters: readonly string[];
  readonly onNotification: (received: QueuedNotification) => void;
  /** Called when events were missed. */
  readonly onMissed: () => void;
  /** Called when no more events can arrive. */
  readonly onEnd: () => void;
}

/** The people of a board and the source of its updates. */
export interface ShownBoard extends Pick<
  BoardParts,
  'api' | 'title' | 'people' | 'peopleRequests' | 'followsMembers' | 'intervalSeconds'
> {
  /** Opens the live events, which are closed when the board ends. Undefined for polling. */
  readonly openSession: (events: BoardEvents) => Promise<BoardSession | undefined>;
}

/** Shows a board until Ctrl-C, or until the reader of the output closes the output. */
export async function showBoard(ctx: Context, board: ShownBoard): Promise<void> {
  const watched = await board.people();
  const notifications = new NotificationQueue();
  const session = await board.openSession({
    eventFilters: boardFilters(watched, board.followsMembers),
    onNotification: (received) => notifications.push(received),
    onMissed: () => notifications.miss(),
    onEnd: () => notifications.close(),
  });
  // Aborts when the board ends, so that its timers do not keep the process alive.
  const over = new AbortController();
  const endReading = (): void => notifications.close();
  ctx.signal.addEventListener('abort', endReading);
  if (ctx.signal.aborted) endReading();
  try {
    const screens = watchBoard({
      ...board,
      feed: session && {
        notifications: () => notifications.read(),
        watched,
        watch: (eventFilters) => session.watch(eventFilters),
      },
      readsAccount: dialects[ctx.settings.dialect.value].queues === 'call-queues',
      now: () => ctx.now(),
      zone: ctx.out.zone,
      sleep: (milliseconds) => ctx.sleep(milliseconds, over.signal),
      signal: AbortSignal.any([ctx.signal, over.signal]),
      onProblem: (text) => ctx.out.warn(text),
      onOutdated: (reason) => ctx.onOutdated(reason),
      hintText: (hint) => hintFor(ctx, hint),
    });
    const view = boardView(ctx.out, () => ctx.now());
    await ctx.out.board(screens, view, { signal: ctx.signal });
  } finally {
    over.abort();
    ctx.signal.removeEventListener('abort', endReading);
    endReading();
    await session?.close();
  }
}
