import { dialects } from '../../contract/dialects.ts';
import type { Context } from '../../runtime/context.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { boardView } from './view.ts';
import type { BoardParts } from './parts.ts';
import type { BoardPerson } from './state.ts';
import { watchBoard } from './watch.ts';

/** The live events of a board. */
export interface BoardSession {
  /** Changes the event filters. */
  watch(eventFilters: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** The people of a board and the source of its updates. */
export interface ShownBoard extends Pick<
  BoardParts,
  'api' | 'title' | 'people' | 'followsMembers' | 'intervalSeconds'
> {
  /** The live events, closed when the board ends. Undefined for polling. */
  readonly session: BoardSession | undefined;
  /** The people whose events the session includes at the start. */
  readonly watched: readonly BoardPerson[];
  /** The notifications of the session. */
  readonly notifications: NotificationQueue;
}

/** Shows a board until Ctrl-C, or until the reader of the output closes the output. */
export async function showBoard(ctx: Context, board: ShownBoard): Promise<void> {
  // Aborts when the board ends, so that its timers do not keep the process alive.
  const over = new AbortController();
  const { notifications, session } = board;
  const endReading = (): void => notifications.close();
  ctx.signal.addEventListener('abort', endReading);
  if (ctx.signal.aborted) endReading();
  try {
    const screens = watchBoard({
      ...board,
      feed: session && {
        notifications: () => notifications.read(),
        watched: board.watched,
        watch: (eventFilters) => session.watch(eventFilters),
      },
      readsAccount: dialects[ctx.settings.dialect.value].queues === 'call-queues',
      now: () => ctx.now(),
      sleep: (milliseconds) => ctx.sleep(milliseconds, over.signal),
      signal: AbortSignal.any([ctx.signal, over.signal]),
      onProblem: (text) => ctx.out.warn(text),
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
