import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLatest } from './latest.ts';

/** Number of rows that are also drawn above and below the visible rows, so that scrolling shows no gaps. */
const spareRows = 8;

interface WindowedListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Height of every row in pixels, at the usual text size. */
  readonly rowHeight: number;
  readonly keyOf: (row: Row) => string | number;
  readonly draw: (row: Row) => ComponentChildren;
  /** Text of the button that shows this number of rows, which were added at the beginning while the user read others. */
  readonly newerText?: (count: number) => string;
  /** Whether the rows are plain text: then the list itself can be focused, to scroll it with the keyboard. */
  readonly isText?: boolean;
}

/** A list that draws only the visible rows. Arrow keys, Home and End move between the links and buttons of its rows. */
export function WindowedList<Row>({
  label,
  rows,
  rowHeight: usualHeight,
  keyOf,
  draw,
  newerText,
  isText = false,
}: WindowedListProps<Row>) {
  const rowHeight = Math.round(usualHeight * textScale());
  const box = useRef<HTMLDivElement>(null);
  const [{ top, height }, setView] = useState({ top: 0, height: 800 });
  /** The first visible row, and its position in the list. */
  const anchor = useRef<{ readonly key: string | number; readonly at: number } | undefined>(undefined);
  const measure = (): void => {
    const element = box.current;
    if (!element) return;
    const at = Math.floor(element.scrollTop / rowHeight);
    const row = rows[at];
    anchor.current = at === 0 || row === undefined ? undefined : { key: keyOf(row), at };
    setView({ top: element.scrollTop, height: element.clientHeight });
  };
  /** The observer of the size lives longer than one drawing. */
  const measureNow = useLatest(measure);
  // New rows above do not move the rows that the user reads. At its beginning, the list shows new rows.
  useLayoutEffect(() => {
    const { current } = anchor;
    const element = box.current;
    if (!current || !element) return;
    const at = rows.findIndex((row) => keyOf(row) === current.key);
    if (at === -1 || at === current.at) return;
    element.scrollTop += (at - current.at) * rowHeight;
    anchor.current = { key: current.key, at };
  }, [rows]);
  const newer = useNewer(rows, keyOf, top < rowHeight);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => measureNow.current());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const isPrinting = usePrinting();
  const first = isPrinting ? 0 : Math.max(0, Math.floor(top / rowHeight) - spareRows);
  const last = isPrinting
    ? rows.length
    : Math.min(rows.length, Math.ceil((top + height) / rowHeight) + spareRows);
  return (
    <div
      class="windowed"
      ref={box}
      onScroll={measure}
      onKeyDown={(event) => moveBetweenRows(event, measure)}
      {...(isText && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      {newerText && newer > 0 && (
        <NewerButton text={newerText(newer)} onClick={() => box.current?.scrollTo({ top: 0 })} />
      )}
      <ul aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, last).map((row, index) => (
          <li
            key={keyOf(row)}
            style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={rows.length}
            aria-posinset={first + index + 1}
          >
            {draw(row)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Number of rows that were added at the beginning since it was last visible. */
function useNewer<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  isAtBeginning: boolean,
): number {
  /** The first row when the beginning was last visible. */
  const newest = useRef<string | number | undefined>(undefined);
  useLayoutEffect(() => {
    const [row] = rows;
    if (isAtBeginning && row !== undefined) newest.current = keyOf(row);
  }, [rows, isAtBeginning]);
  return isAtBeginning ? 0 : rows.findIndex((row) => keyOf(row) === newest.current);
}

/** Shows the beginning of the list. */
function NewerButton({ text, onClick }: { readonly text: string; readonly onClick: () => void }) {
  return (
    <p class="newer">
      <button type="button" class="primary" onClick={onClick}>
        {text}
        <span aria-hidden="true">↑</span>
      </button>
    </p>
  );
}

/** The text size that the user has set in the browser, in proportion to the usual size. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

/** Whether the browser prints the page: on paper, all rows are visible. */
function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useLayoutEffect(() => {
    const begin = (): void => setPrinting(true);
    const end = (): void => setPrinting(false);
    addEventListener('beforeprint', begin);
    addEventListener('afterprint', end);
    return () => {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
    };
  }, []);
  return isPrinting;
}

/** Moves the focus to another row. @param draw draws the rows at the new place of the list */
function moveBetweenRows(event: KeyboardEvent, draw: () => void): void {
  const list = event.currentTarget as HTMLElement;
  const targets = linksOf(list);
  const current = targets.findIndex((target) => target === document.activeElement);
  if (current === -1) return;
  if (event.key === 'Home' || event.key === 'End') {
    event.preventDefault();
    list.scrollTop = event.key === 'Home' ? 0 : list.scrollHeight;
    draw();
    // The rows are drawn before this runs.
    void Promise.resolve().then(() =>
      linksOf(list)
        .at(event.key === 'Home' ? 0 : -1)
        ?.focus(),
    );
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    const next = current + (event.key === 'ArrowDown' ? 1 : -1);
    targets[Math.min(Math.max(next, 0), targets.length - 1)]?.focus();
  }
}

function linksOf(list: HTMLElement): readonly HTMLElement[] {
  return [...list.querySelectorAll<HTMLElement>('li > a, li > button')];
}
