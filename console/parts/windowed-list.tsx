import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { ControlList } from './control-list.tsx';
import { useLatest } from './latest.ts';

/** Number of rows that are also drawn above and below the visible rows, so that scrolling shows no gaps. */
const spareRows = 8;

interface WindowedListProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Height of every row in pixels, at the usual text size. */
  readonly rowHeight: number;
  readonly keyOf: (row: Row) => string | number;
  /** Whether a row is selected. */
  readonly isCurrent?: (row: Row) => boolean;
  readonly draw: (row: Row, isCurrent: boolean) => ComponentChildren;
  /** Text of the button that shows this number of rows, which were added at the beginning while the user read others. */
  readonly newerText?: (count: number) => string;
  /** Whether the rows are plain text: then the list itself can be focused, to scroll it with the keyboard. */
  readonly isText?: boolean;
}

/** A list that draws only the visible rows, and those to which the keyboard moves the focus next. */
export function WindowedList<Row>({
  label,
  rows,
  rowHeight: usualHeight,
  keyOf,
  isCurrent = () => false,
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
  const { drawn, onFocus } = useDrawn(rows, keyOf, isCurrent, {
    first: Math.floor(top / rowHeight) - spareRows,
    last: Math.ceil((top + height) / rowHeight) + spareRows,
  });
  return (
    <div
      class="windowed"
      ref={box}
      onScroll={measure}
      {...(isText && { tabIndex: 0, role: 'group', 'aria-label': label })}
    >
      {newerText && newer > 0 && (
        <NewerButton text={newerText(newer)} onClick={() => box.current?.scrollTo({ top: 0 })} />
      )}
      <ControlList aria-label={label} style={{ height: `${rows.length * rowHeight}px` }}>
        {drawn.map(([at, row]) => (
          <li
            key={keyOf(row)}
            style={{ top: `${at * rowHeight}px`, height: `${rowHeight}px` }}
            aria-setsize={rows.length}
            aria-posinset={at + 1}
            onFocusIn={() => onFocus(row)}
          >
            {draw(row, isCurrent(row))}
          </li>
        ))}
      </ControlList>
    </div>
  );
}

/**
 * The rows that are drawn, with their positions: those near the visible ones, and those to which the keyboard moves the
 * focus. A focused row remains when it is scrolled away, and so does the row of an item that was open.
 * @param near positions of the first row, and of the row after the last one
 */
function useDrawn<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | number,
  isCurrent: (row: Row) => boolean,
  near: { readonly first: number; readonly last: number },
) {
  const [focused, setFocused] = useState<string | number>();
  const opened = useRef<string | number | undefined>(undefined);
  const isPrinting = usePrinting();
  const current = rows.find(isCurrent);
  if (current !== undefined) opened.current = keyOf(current);
  const positions = new Map(rows.map((row, at) => [keyOf(row), at]));
  const focusedAt = positions.get(focused ?? '') ?? 0;
  const isReached = (at: number): boolean =>
    at === 0 ||
    at === rows.length - 1 ||
    Math.abs(at - focusedAt) <= 1 ||
    at === positions.get(opened.current ?? '');
  const drawn = [...rows.entries()].filter(
    ([at]) => isPrinting || (at >= near.first && at < near.last) || isReached(at),
  );
  return { drawn, onFocus: (row: Row) => setFocused(keyOf(row)) };
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
