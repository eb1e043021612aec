import type { Context } from '../../runtime/context.ts';
import { boardView } from './board.rows.ts';
import { watchBoard, type BoardFeed, type BoardParts } from './watch.ts';

/** Who is shown, and how the changes come; the rest is of the run. */
export interface ShownBoard extends Pick<
  BoardParts,
  'api' | 'title' | 'people' | 'followsMembers' | 'intervalSeconds'
> {
  /** Closed at the end. Undefined: the presences are read again and again. */
  readonly feed: (BoardFeed & { close(): Promise<void> }) | undefined;
}

/** Shows a board until Ctrl-C, or until nobody reads it any more. */
export async function showBoard(ctx: Context, board: ShownBoard): Promise<void> {
  // Where the reader leaves first, nothing of the board may keep the process.
  const over = new AbortController();
  try {
    const frames = watchBoard({
      ...board,
      now: () => ctx.now(),
      sleep: (milliseconds) => ctx.sleep(milliseconds, over.signal),
      signal: AbortSignal.any([ctx.signal, over.signal]),
      onTrouble: (text) => ctx.out.warn(text),
    });
    const view = boardView(ctx.out, () => ctx.now());
    await ctx.out.board(frames, view, { signal: ctx.signal });
  } finally {
    over.abort();
    await board.feed?.close();
  }
}
