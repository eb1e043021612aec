import type { Column, View } from '../runtime/output.ts';
import type { Key, Motion } from './board-keys.ts';
import { fold } from '../platform/text-width.ts';
import { shownCell } from './cell.ts';
import { chooseColumns } from './fields.ts';
import type { Surface } from './renderer.ts';
import { compareCells } from './sort.ts';

/** How the user changed the board with keys: filter, order, position and help. */
export class BoardControls<T extends object> {
  readonly #columns: readonly Column<T>[];
  readonly #surface: Surface;
  #filter = '';
  #isTyping = false;
  /** Index of the column by which the rows are sorted; undefined for the default order of the board. */
  #order: number | undefined;
  #first = 0;
  #isHelp = false;
  /** Number of rows on the last screen. */
  #shown = 1;

  constructor(view: View<T>, surface: Surface) {
    // Without samples, a path into the record counts as a column.
    this.#columns = chooseColumns(view, surface, []);
    this.#surface = surface;
  }

  get isHelp(): boolean {
    return this.#isHelp;
  }

  /** Processes a key. Returns whether the board ends. */
  press({ name, text }: Key): boolean {
    if (name === 'quit') return true;
    // The board itself suspends the program.
    if (name === 'suspend') return false;
    if (this.#isTyping) this.#type(name, text);
    else if (name === 'text') return this.#command(text);
    else if (name === 'escape') this.#escape();
    // A pasted text is only a filter, never a command.
    else if (name !== 'enter' && name !== 'backspace' && name !== 'pasted') this.#move(name);
    return false;
  }

  #type(name: Key['name'], text: string): void {
    const isText = name === 'text' || name === 'pasted';
    if (isText) this.#filter += text;
    else if (name === 'backspace') this.#filter = Array.from(this.#filter).slice(0, -1).join('');
    else if (name === 'enter') this.#isTyping = false;
    else if (name === 'escape') this.#escape();
    else if (name !== 'quit' && name !== 'suspend') this.#move(name);
    if (isText || name === 'backspace') this.#first = 0;
  }

  #command(text: string): boolean {
    if (text === 'q') return true;
    if (text === '?') this.#isHelp = !this.#isHelp;
    else if (this.#isHelp) this.#isHelp = false;
    else if (text === '/') this.#isTyping = true;
    else if (text === 's') this.#sortByNext();
    else if (text === 'j') this.#move('down');
    else if (text === 'k') this.#move('up');
    return false;
  }

  #escape(): void {
    if (this.#isHelp) {
      this.#isHelp = false;
      return;
    }
    this.#isTyping = false;
    this.#filter = '';
    this.#first = 0;
  }

  #sortByNext(): void {
    const next = this.#order === undefined ? 0 : this.#order + 1;
    this.#order = next < this.#columns.length ? next : undefined;
    this.#first = 0;
  }

  #move(motion: Motion): void {
    const page = Math.max(1, this.#shown - 1);
    const steps: Readonly<Record<Motion, number>> = {
      up: -1,
      down: 1,
      pageUp: -page,
      pageDown: page,
      home: Number.NEGATIVE_INFINITY,
      end: Number.POSITIVE_INFINITY,
    };
    // The end is limited when the rows are next arranged.
    this.#first = Math.max(0, this.#first + steps[motion]);
  }

  /** Returns the rows that match the filter, in the chosen order. */
  arrange(rows: readonly T[]): readonly T[] {
    const wanted = this.#filter.toLowerCase();
    const found =
      wanted === '' ? rows : rows.filter((row) => this.#textOf(row).toLowerCase().includes(wanted));
    const column = this.#order === undefined ? undefined : this.#columns[this.#order];
    if (!column) return found;
    const keyOf = column.order ?? column.value;
    return found.toSorted((a, b) => compareCells(keyOf(a), keyOf(b), false));
  }

  /** Returns the text of a row as shown and its values, so that a number matches with and without spaces. */
  #textOf(row: T): string {
    return this.#columns
      .flatMap((column) => [shownCell(row, column, this.#surface), String(column.value(row) ?? '')])
      .join(' ');
  }

  /** Returns the part of `count` rows to show in `room` lines. */
  part(count: number, room: number): { readonly from: number; readonly to: number } {
    const shown = count > room ? Math.max(1, room - 1) : count;
    this.#shown = Math.max(1, shown);
    this.#first = Math.max(0, Math.min(this.#first, count - shown));
    return { from: this.#first, to: this.#first + shown };
  }

  /** The filter and the order of the rows, for the footer; empty for all rows in the order of the board. */
  get state(): string {
    const column = this.#order === undefined ? undefined : this.#columns[this.#order];
    return [this.#filter === '' ? '' : `filter "${this.#filter}"`, column ? `by ${column.title}` : '']
      .filter(Boolean)
      .join(' · ');
  }

  /** The keys, for the footer. */
  get keys(): string {
    return this.#isTyping
      ? `Filter: ${this.#filter}▏ Enter apply · Esc clear`
      : 'q quit · / filter · s sort · ? help';
  }

  /** Whether the footer has room only for the filter that is being typed. */
  get isTyping(): boolean {
    return this.#isTyping;
  }
}

/** Keys of a board with their effects. */
const keys = [
  ['q, Ctrl-C', 'quit'],
  ['/', 'show only rows that contain a text; Esc clears it'],
  ['s', 'sort by the next column'],
  ['↑ ↓ PgUp PgDn', 'scroll; Home and End: first and last row'],
  ['Ctrl-Z', 'suspend; run fg in the shell to return'],
  ['?', 'open and close this help'],
] as const;

/** Minimum width of a terminal, in columns, on which the meanings in the help are aligned. */
const alignedHelp = 60;

/** The help of a board, wrapped to the width of the terminal. `more` explains its columns. */
export function boardHelp(
  more: readonly (readonly [term: string, meaning: string])[],
  columns: number,
): readonly string[] {
  const width = Math.max(...[...keys, ...more].map(([term]) => term.length)) + 2;
  const lines = ([term, meaning]: readonly [string, string]): readonly string[] => {
    const isAligned = columns >= alignedHelp;
    const start = isAligned ? term.padEnd(width) : `${term}  `;
    const indent = isAligned ? width : 2;
    const [first = '', ...rest] = fold(`${'.'.repeat(start.length)}${meaning}`, columns);
    const others = rest.length === 0 ? [] : fold(rest.join(' '), columns - indent);
    return [`${start}${first.slice(start.length)}`, ...others.map((line) => `${' '.repeat(indent)}${line}`)];
  };
  return [...keys.flatMap(lines), ...(more.length > 0 ? ['', ...more.flatMap(lines)] : [])];
}
