import { AlternateScreen } from './alternate-screen.ts';
import { BoardControls } from './board-controls.ts';
import { openKeyboard, type Keyboard } from './board-keys.ts';
import { linesOf, type Drawing } from './board-lines.ts';
import { followContinuation } from '../platform/own-process.ts';
import type { BoardScreen, View } from '../runtime/output.ts';
import type { Surface } from './renderer.ts';

const noticeMilliseconds = 20_000;

/** The terminal output, as far as a board uses it. */
export interface BoardTerminal {
  readonly columns: number;
  readonly rows: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/**
 * Messages while a board is open. The board shows them, because writing them to the terminal would disturb the board.
 */
export class BoardNotices {
  #last: { readonly text: string; readonly at: number } | undefined;
  /** Warnings, which are repeated after the board. */
  readonly warnings = new Set<string>();
  onNew: () => void = () => undefined;

  /** The control characters of `text` must be escaped; `now` is in milliseconds since 1970. */
  add(text: string, now: number): void {
    this.#last = { text, at: now };
    this.onNew();
  }

  /** Returns the newest message, if it is less than 20 s old. */
  at(now: number): string | undefined {
    return this.#last && now - this.#last.at < noticeMilliseconds ? this.#last.text : undefined;
  }
}

/** A board and the terminal that it is drawn on. */
export interface Board<T> {
  readonly surface: Surface;
  readonly terminal: BoardTerminal;
  readonly view: View<T>;
  readonly notices?: BoardNotices | undefined;
  /** Source of keys. If it is absent or not a terminal, only Ctrl-C ends the board. */
  readonly stdin?: Keyboard | undefined;
  /** Restores the terminal at once when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Draws a board on the alternate screen of the terminal. Afterwards the normal screen is restored, and the last state
 * of the board is printed on it. Lines and rows are truncated to the size of the terminal, even after a resize. Keys
 * filter, sort and scroll the rows. If a key ends the board, the source of the screens is closed but not awaited,
 * because it may be waiting for its next screen.
 * @returns whether a key ended the board
 */
export async function drawBoard<T extends object>(
  board: Board<T>,
  screens: AsyncIterable<BoardScreen<T>>,
): Promise<boolean> {
  const { surface, terminal, notices = new BoardNotices(), signal } = board;
  const alternate = new AlternateScreen(surface);
  let last: BoardScreen<T> | undefined;
  const controls = new BoardControls(board.view, surface);
  const state: Drawing<T> = { controls, hasKeys: false };
  const draw = (): Promise<void> =>
    alternate.show(async () => {
      if (!last) return undefined;
      return linesOf(board, last, terminal.rows || 24, state, notices.at(surface.now()));
    });
  // A failed redraw is ignored: the next write fails with the same error.
  const onResize = (): void => void draw().catch(() => undefined);
  const onAbort = (): void => void alternate.leave().catch(() => undefined);
  await alternate.enter();
  const quit = new AbortController();
  const suspend = async (): Promise<void> => {
    await alternate.leave();
    await keyboard?.suspend();
    if (quit.signal.aborted || signal?.aborted) return;
    await alternate.enter();
    await draw();
  };
  const keyboard = openKeyboard(board.stdin, (key) => {
    if (key.name === 'suspend') void suspend().catch(() => undefined);
    else if (controls.press(key)) quit.abort();
    else onResize();
  });
  state.hasKeys = keyboard !== undefined;
  terminal.on('resize', onResize);
  const endFollowing = followContinuation();
  notices.onNew = onResize;
  signal?.addEventListener('abort', onAbort);
  try {
    for await (const screen of untilAborted(screens, quit.signal)) {
      last = screen;
      await draw();
    }
  } finally {
    keyboard?.close();
    endFollowing();
    terminal.off('resize', onResize);
    signal?.removeEventListener('abort', onAbort);
    await alternate.leave();
  }
  if (last) {
    const lines = await linesOf(board, last, Number.POSITIVE_INFINITY, undefined);
    await surface.write(`${lines.join('\n')}\n`);
  }
  return quit.signal.aborted;
}

/** Yields the values of a source until the signal aborts. The source is then closed, but not awaited. */
async function* untilAborted<T>(
  values: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, undefined> {
  const source = values[Symbol.asyncIterator]();
  let wake: () => void = () => undefined;
  signal.addEventListener('abort', () => wake(), { once: true });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<T, unknown> | undefined>((resolve, reject) => {
        wake = () => resolve(undefined);
        if (signal.aborted) wake();
        else source.next().then(resolve, reject);
      });
      if (!next || next.done) return;
      yield next.value;
    }
  } finally {
    const ended = source.return?.();
    if (signal.aborted) ended?.catch(() => undefined);
    else await ended;
  }
}
