import { safe } from '../platform/terminal-text.ts';
import type { BoardFrame, View } from '../runtime/output.ts';
import { fit } from '../platform/text-width.ts';
import type { Surface } from './renderer.ts';
import { tableRenderer } from './table.ts';

const enter = '\u001B[?1049h\u001B[?25l';
const leave = '\u001B[?25h\u001B[?1049l';
const home = '\u001B[H';
const clearLine = '\u001B[K';
const noticeMilliseconds = 20_000;
const clearBelow = '\u001B[J';

/** The terminal as a board needs it. */
export interface BoardTerminal {
  readonly columns: number;
  readonly rows: number;
  on(event: 'resize', listener: () => void): unknown;
  off(event: 'resize', listener: () => void): unknown;
}

/** What is said while a board is drawn: on the terminal it would stand across the picture. */
export class BoardNotices {
  #last: { readonly text: string; readonly at: number } | undefined;
  /** Warnings, to be said once more when the picture is gone. */
  readonly warnings = new Set<string>();
  onNew: () => void = () => undefined;

  /** `text` is safe to show, `now` milliseconds since 1970. */
  add(text: string, now: number): void {
    this.#last = { text, at: now };
    this.onNew();
  }

  /** What stands on the board at a time: the newest, for a while. */
  at(now: number): string | undefined {
    return this.#last && now - this.#last.at < noticeMilliseconds ? this.#last.text : undefined;
  }
}

/** A board: what is drawn on which terminal. */
export interface Board<T> {
  readonly surface: Surface;
  readonly terminal: BoardTerminal;
  readonly view: View<T>;
  readonly notices?: BoardNotices | undefined;
  /** Aborted: the terminal is given back at once. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Draws frames over each other on the terminal's second screen, so that what was on the first comes back; the last frame then stays on it.
 * Every line is cut to the width and the rows to the height, again whenever the terminal changes its size.
 */
export async function drawBoard<T extends object>(
  board: Board<T>,
  frames: AsyncIterable<BoardFrame<T>>,
): Promise<void> {
  const { surface, terminal, notices = new BoardNotices(), signal } = board;
  const screen = new SecondScreen(surface);
  let last: BoardFrame<T> | undefined;
  const draw = (): Promise<void> =>
    screen.show(async () => {
      if (!last) return undefined;
      return linesOf(board, last, terminal.rows || 24, notices.at(surface.now()));
    });
  // A redraw or a last write that fails ends with the frames: the next write says so.
  const onResize = (): void => void draw().catch(() => undefined);
  const onAbort = (): void => void screen.leave().catch(() => undefined);
  await screen.enter();
  terminal.on('resize', onResize);
  notices.onNew = onResize;
  signal?.addEventListener('abort', onAbort);
  try {
    for await (const frame of frames) {
      last = frame;
      await draw();
    }
  } finally {
    terminal.off('resize', onResize);
    signal?.removeEventListener('abort', onAbort);
    await screen.leave();
  }
  if (last) {
    const lines = await linesOf(board, last, Number.POSITIVE_INFINITY);
    await surface.write(`${lines.join('\n')}\n`);
  }
}

/** The terminal's second screen, which one thing at a time is written to, in order, until it is left. */
class SecondScreen {
  readonly #surface: Surface;
  #isInside = false;
  #writing: Promise<void> = Promise.resolve();

  constructor(surface: Surface) {
    this.#surface = surface;
  }

  async enter(): Promise<void> {
    this.#isInside = true;
    await this.#surface.write(enter);
  }

  /** Draws lines over those before; undefined leaves them. */
  show(lines: () => Promise<readonly string[] | undefined>): Promise<void> {
    return this.#inTurn(async () => {
      const shown = await lines();
      if (!shown) return;
      await this.#surface.write(
        `${home}${shown.map((line) => `${line}${clearLine}`).join('\r\n')}${clearBelow}`,
      );
    });
  }

  leave(): Promise<void> {
    return this.#inTurn(async () => {
      this.#isInside = false;
      await this.#surface.write(leave);
    });
  }

  /** Nothing is written any more once the screen was left. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(() => (this.#isInside ? write() : undefined));
    return this.#writing;
  }
}

/** Title, rows and footer, in at most `height` lines: rows that have no room are counted. */
async function linesOf<T extends object>(
  { surface, terminal, view }: Board<T>,
  frame: BoardFrame<T>,
  height: number,
  notice?: string,
): Promise<readonly string[]> {
  const columns = terminal.columns || 80;
  const text = (styled: string): string => surface.marks.finish(styled, surface.paint);
  const plain = (line: string): string => surface.paint('strong', fit(safe(line), columns));
  let table = '';
  const renderer = tableRenderer({
    ...surface,
    columns,
    write: (piece) => {
      table += piece;
      return Promise.resolve();
    },
  });
  // Title, heading, notice and footer stay; a further line says how many rows are below.
  const room = Math.max(1, height - (notice === undefined ? 3 : 4));
  const shown = frame.rows.length > room ? frame.rows.slice(0, Math.max(1, room - 1)) : frame.rows;
  await renderer.list(shown, view);
  const hidden = frame.rows.length - shown.length;
  return [
    plain(frame.title),
    ...table.split('\n').slice(0, -1),
    ...(hidden > 0 ? [fit(`… and ${hidden} more`, columns)] : []),
    ...(frame.rows.length === 0 ? [fit(safe(view.empty ?? 'Nothing to show.'), columns)] : []),
    ...(notice === undefined ? [] : [fit(notice, columns)]),
    text(fit(safe(frame.footer), columns)),
  ].slice(0, height);
}
