import type { Context } from '../../runtime/context.ts';
import type { NotificationQueue } from './notification-queue.ts';
import { boardView } from './view.ts';
import { watchBoard, type BoardParts } from './watch.ts';

/** The live events of a board. */
export interface BoardSession {
  /** Changes the event filters. */
  watch(eventFilters: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Who is shown, and how the changes come; the rest is of the run. */
export interface ShownBoard extends Pick<
  BoardParts,
  'api' | 'title' | 'people' | 'followsMembers' | 'intervalSeconds'
> {
  /** Closed at the end. Undefined: the presences are read again and again. */
  readonly session: BoardSession | undefined;
  /** What arrives in the session. */
  readonly notifications: NotificationQueue;
}

/** Shows a board until Ctrl-C, or until nobody reads it any more. */
export async function showBoard(ctx: Context, board: ShownBoard): Promise<void> {
  // Where the reader leaves first, nothing of the board may keep the process.
  const over = new AbortController();
  const { notifications, session } = board;
  const endReading = (): void => notifications.close();
  ctx.signal.addEventListener('abort', endReading);
  if (ctx.signal.aborted) endReading();
  try {
    const frames = watchBoard({
      ...board,
      feed: session && {
        notifications: () => notifications.read(),
        watch: (eventFilters) => session.watch(eventFilters),
      },
      now: () => ctx.now(),
      sleep: (milliseconds) => ctx.sleep(milliseconds, over.signal),
      signal: AbortSignal.any([ctx.signal, over.signal]),
      onTrouble: (text) => ctx.out.warn(text),
    });
    const view = boardView(ctx.out, () => ctx.now());
    await ctx.out.board(frames, view, { signal: ctx.signal });
  } finally {
    over.abort();
    ctx.signal.removeEventListener('abort', endReading);
    endReading();
    await session?.close();
  }
}
