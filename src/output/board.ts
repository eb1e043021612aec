import { boardHelp, BoardControls } from './board-controls.ts';
import { openKeyboard, type Keyboard } from './board-keys.ts';
import { safe } from '../platform/terminal-text.ts';
import type { BoardScreen, View } from '../runtime/output.ts';
import { fit, fold, widthOf } from '../platform/text-width.ts';
import type { Surface } from './renderer.ts';
import { tableRenderer } from './table.ts';

const enter = '\u001B[?1049h\u001B[?25l';
const leave = '\u001B[?25h\u001B[?1049l';
const home = '\u001B[H';
const clearLine = '\u001B[K';
const noticeMilliseconds = 20_000;
const clearBelow = '\u001B[J';

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
 */
export async function drawBoard<T extends object>(
  board: Board<T>,
  screens: AsyncIterable<BoardScreen<T>>,
): Promise<void> {
  const { surface, terminal, notices = new BoardNotices(), signal } = board;
  const alternate = new AlternateScreen(surface);
  let last: BoardScreen<T> | undefined;
  const controls = new BoardControls(board.view);
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
  notices.onNew = onResize;
  signal?.addEventListener('abort', onAbort);
  try {
    for await (const screen of untilAborted(screens, quit.signal)) {
      last = screen;
      await draw();
    }
  } finally {
    keyboard?.close();
    terminal.off('resize', onResize);
    signal?.removeEventListener('abort', onAbort);
    await alternate.leave();
  }
  if (last) {
    const lines = await linesOf(board, last, Number.POSITIVE_INFINITY, undefined);
    await surface.write(`${lines.join('\n')}\n`);
  }
}

/** The current state of the drawing of a board. */
interface Drawing<T> {
  readonly controls: BoardControls<T>;
  /** Whether keys are read. */
  hasKeys: boolean;
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

/** The alternate screen of the terminal. Writes are queued. Nothing is written after the screen was left. */
class AlternateScreen {
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

  /** Replaces the lines on the screen; undefined means no change. */
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

  /** Queues a write. Nothing is written after the screen was left. */
  #inTurn(write: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(() => (this.#isInside ? write() : undefined));
    return this.#writing;
  }
}

/**
 * Title, rows and footer in at most `height` lines; a line counts the rows that do not fit. Without a `drawing`, all
 * rows in the order of the board.
 */
async function linesOf<T extends object>(
  { surface, terminal, view }: Board<T>,
  screen: BoardScreen<T>,
  height: number,
  drawing: Drawing<T> | undefined,
  notice?: string,
): Promise<readonly string[]> {
  const columns = terminal.columns || 80;
  const line = (text: string): string => fit(safe(text), columns);
  const title = surface.paint('strong', line(screen.title));
  const footers = footersOf(screen, drawing, columns).map((text) =>
    surface.marks.finish(line(text), surface.paint),
  );
  // On a screen with few lines, only the line with the keys is shown.
  const end = [
    ...(notice === undefined ? [] : [fit(notice, columns)]),
    ...footers.slice(height < lowest ? -1 : 0),
  ];
  if (drawing?.controls.isHelp)
    return [
      title,
      ...boardHelp(screen.help ?? [], columns)
        .map(line)
        .slice(0, height - end.length - 1),
      ...end,
    ];
  const rows = drawing?.controls.arrange(screen.rows) ?? screen.rows;
  // Title, heading, notice and footer are always shown; one more line counts the hidden rows.
  const room = Math.max(1, height - 2 - end.length);
  let hidden: readonly string[] = [];
  // The line names the columns and does not mark columns without values.
  const onHidden = (titles: readonly string[]): void =>
    void (hidden = titles.map((title) => title.replace(/ \(empty\)$/u, '')));
  const draw = (some: readonly T[]): Promise<readonly string[]> => {
    hidden = [];
    return tableOf({ ...surface, columns, onHidden }, some, view);
  };
  const { from, to, table } = await fillScreen(rows, drawing?.controls, { room, draw });
  const body = [
    title,
    ...table,
    ...hiddenRows(rows.length, from, to).map(line),
    ...(rows.length === 0 ? [line(emptyText(screen, view))] : []),
  ];
  const free = height - body.length - end.length;
  body.push(...hiddenNote(hidden, columns, free).map((text) => surface.paint('dim', line(text))));
  // The footer has the keys, so it is shown even if the first row does not fit.
  return [...body.slice(0, Math.max(1, height - end.length)), ...end].slice(0, height);
}

/**
 * Returns the rows that fit `room` lines, from the position of the controls. A row has a second line if a value is
 * below it.
 */
async function fillScreen<T>(
  rows: readonly T[],
  controls: BoardControls<T> | undefined,
  { room, draw }: { room: number; draw: (rows: readonly T[]) => Promise<readonly string[]> },
): Promise<{ readonly from: number; readonly to: number; readonly table: readonly string[] }> {
  for (let most = room; ;) {
    const { from, to } = controls?.part(rows.length, most) ?? { from: 0, to: rows.length };
    const table = await draw(rows.slice(from, to));
    const lines = to - from < rows.length ? room - 1 : room;
    const excess = table.length - 1 - lines;
    if (!controls || excess <= 0 || most <= 1) return { from, to, table };
    most = Math.max(1, most - Math.ceil(excess / 2));
  }
}

async function tableOf<T extends object>(
  surface: Surface,
  rows: readonly T[],
  view: View<T>,
): Promise<readonly string[]> {
  let table = '';
  const renderer = tableRenderer({
    ...surface,
    write: (piece) => {
      table += piece;
      return Promise.resolve();
    },
  });
  await renderer.list(rows, view);
  return table.split('\n').slice(0, -1);
}

/** The line that names the hidden columns, wrapped if `free` lines are left; without a line for it, nothing. */
function hiddenNote(hidden: readonly string[], columns: number, free: number): readonly string[] {
  if (hidden.length === 0 || free < 1) return [];
  const text = `Hidden: ${hidden.join(', ')}`;
  const wrapped = fold(text, columns);
  return wrapped.length <= free ? wrapped : [text];
}

/** Returns the range of the rows on the screen; empty if all rows are on the screen. */
function hiddenRows(count: number, from: number, to: number): readonly string[] {
  if (to - from >= count) return [];
  return [from === 0 ? `… and ${count - to} more` : `… rows ${from + 1} to ${to} of ${count}`];
}

function emptyText<T>({ rows }: BoardScreen<T>, { empty }: View<T>): string {
  return rows.length > 0 ? 'No rows match the filter. Press Esc to clear it.' : (empty ?? 'Nothing to show.');
}

/** Minimum height in lines for a footer of two lines. */
const lowest = 10;

/**
 * The footer: source and time of the data, filter, order and keys. If they do not fit one line, the keys are on a
 * second line, with filter and order if these fit there.
 */
function footersOf<T>(
  { footer }: BoardScreen<T>,
  drawing: Drawing<T> | undefined,
  columns: number,
): readonly string[] {
  if (!drawing) return [footer];
  const { controls, hasKeys } = drawing;
  const keys = hasKeys ? controls.keys : 'Ctrl-C to quit';
  if (controls.isTyping) return [keys];
  const joined = (...parts: readonly string[]): string => parts.filter(Boolean).join(' · ');
  const fits = (text: string): boolean => widthOf(safe(text)) <= columns;
  const whole = joined(footer, controls.state, keys);
  if (fits(whole)) return [whole];
  const below = joined(controls.state, keys);
  return fits(below) ? [footer, below] : [...fold(joined(footer, controls.state), columns), keys];
}
