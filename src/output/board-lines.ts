import { boardHelp, type BoardControls } from './board-controls.ts';
import { safe } from '../platform/terminal-text.ts';
import type { BoardScreen, View } from '../runtime/output.ts';
import { fit, fold, widthOf } from '../platform/text-width.ts';
import type { Surface } from './renderer.ts';
import { tableRenderer } from './table.ts';
import { hintText } from '../errors/hint.ts';

/** Where and how the lines of a board are drawn. */
export interface LinesTarget<T> {
  readonly surface: Surface;
  /** The terminal, whose width limits the lines. */
  readonly terminal: { readonly columns: number };
  readonly view: View<T>;
}

/** The current state of the drawing of a board. */
export interface Drawing<T extends object> {
  readonly controls: BoardControls<T>;
  /** Whether keys are read. */
  hasKeys: boolean;
}

/**
 * Title, rows and footer in at most `height` lines; a line counts the rows that do not fit. Without a `drawing`, all
 * rows in the order of the board.
 */
export async function linesOf<T extends object>(
  { surface, terminal, view }: LinesTarget<T>,
  screen: BoardScreen<T>,
  height: number,
  drawing: Drawing<T> | undefined,
  notice?: string,
): Promise<readonly string[]> {
  const columns = terminal.columns || 80;
  const line = (text: string): string => fit(safe(text), columns);
  const title = titleOf(screen.title, columns, height).map((text) => surface.paint('strong', text));
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
      ...title,
      ...boardHelp(screen.help ?? [], columns)
        .map(line)
        .slice(0, height - end.length - title.length),
      ...end,
    ];
  const rows = drawing?.controls.arrange(screen.rows) ?? screen.rows;
  // Title, heading, notice and footer are always shown; one more line counts the hidden rows.
  const room = Math.max(1, height - 1 - title.length - end.length);
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
    ...title,
    ...table,
    ...hiddenRows(rows.length, from, to).map(line),
    ...(rows.length === 0 ? [line(emptyText(screen, view))] : []),
  ];
  const free = height - body.length - end.length;
  const notes = (screen.notes ?? []).filter(({ column }) => !hidden.includes(column));
  const texts = [hiddenText(hidden), ...notes.map(({ text }) => text)];
  body.push(...notesIn(texts, columns, free).map((text) => surface.paint('dim', line(text))));
  // The footer has the keys, so it is shown even if the first row does not fit.
  return [...body.slice(0, Math.max(1, height - end.length)), ...end].slice(0, height);
}

/** The title; if it is too long, on two lines with the break after a comma, except on a screen with few lines. */
function titleOf(title: string, columns: number, height: number): readonly string[] {
  const text = safe(title);
  if (height < lowest || widthOf(text) <= columns) return [fit(text, columns)];
  const parts = text.split(/(?<=, )/u);
  const startOf = (count: number): string => parts.slice(0, count).join('').trimEnd();
  const fitting = parts.findLastIndex((_, at) => widthOf(startOf(at + 1)) <= columns) + 1;
  const count = Math.max(1, fitting);
  return [startOf(count), parts.slice(count).join('')].filter(Boolean).map((line) => fit(line, columns));
}

/**
 * Returns the rows that fit `room` lines, from the position of the controls. A row has a second line if a value is
 * below it.
 */
async function fillScreen<T extends object>(
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

/** Names the hidden columns and the ways to show them; empty if all columns are shown. */
function hiddenText(hidden: readonly string[]): string {
  return hidden.length === 0 ? '' : `Hidden: ${hidden.join(', ')}; use --fields or a wider window`;
}

/** The lines of the notes, in at most `free` lines; the last one is truncated. */
function notesIn(texts: readonly string[], columns: number, free: number): readonly string[] {
  const lines: string[] = [];
  for (const text of texts.filter(Boolean)) {
    const wrapped = fold(text, columns);
    const left = Math.max(0, free - lines.length);
    lines.push(...(wrapped.length <= left ? wrapped : [text].slice(0, left)));
  }
  return lines;
}

/** Returns the range of the rows on the screen; empty if all rows are on the screen. */
function hiddenRows(count: number, from: number, to: number): readonly string[] {
  if (to - from >= count) return [];
  return [from === 0 ? `… and ${count - to} more` : `… rows ${from + 1} to ${to} of ${count}`];
}

function emptyText<T>({ rows }: BoardScreen<T>, { empty }: View<T>): string {
  return rows.length > 0
    ? 'No rows match the filter. Press Esc to clear it.'
    : hintText(empty ?? 'Nothing to show.');
}

/** Minimum height in lines for a footer of two lines. */
const lowest = 10;

/**
 * The footer: source and time of the data, filter, order and keys. If they do not fit one line, the keys are on a
 * second line, with filter and order if these fit there.
 */
function footersOf<T extends object>(
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
  return fits(below)
    ? [...fold(footer, columns), below]
    : [...fold(joined(footer, controls.state), columns), keys];
}
