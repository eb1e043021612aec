import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from '../query.ts';
import { go, hrefOf, route, type ViewName } from '../route.ts';
import { Problem } from './basics.tsx';
import { focusListPane } from './control-list.tsx';
import { isField } from './keep-focus.ts';
import { isAsking } from './question.ts';
import { Waiting } from './waiting.tsx';

/**
 * A list, and next to it the item that the address names. A narrow window shows only one of them: then the focus moves to
 * the item when it opens, and back to its link when it closes.
 */
export function Panes({ children }: { readonly children: ComponentChildren }) {
  const { view, rest } = route.value;
  const isOpen = rest.join('') !== '';
  const place = hrefOf(view, ...rest);
  const before = useRef(place);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const closed = before.current;
    before.current = place;
    if (closed === place || isFocusShown()) return;
    const target = box.current?.querySelector<HTMLElement>(isOpen ? '.detail' : `a[href="${closed}"]`);
    if (target) target.focus();
    else focusListPane();
  }, [place, isOpen]);
  return (
    <div class={`panes ${isOpen ? 'is-open' : ''}`} ref={box}>
      {children}
    </div>
  );
}

/** Whether the window shows the focused element. A hidden element keeps the focus until the page is drawn again. */
function isFocusShown(): boolean {
  const focused = document.activeElement;
  return focused !== null && focused !== document.body && focused.getClientRects().length > 0;
}

/**
 * Escape closes the open item, but not in a field, whose text would be lost, or in a dialog. The down arrow moves from the
 * search field to the list.
 */
export function usePaneKeys(): void {
  useEffect(() => {
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
}

function handleKey(event: KeyboardEvent): void {
  const target = event.target as HTMLElement;
  const { view, rest } = route.value;
  if (event.key === 'Escape' && rest.length > 0 && !isField(target) && !isAsking()) go(view);
  else if (event.key === 'ArrowDown' && target.matches('[data-search]')) {
    event.preventDefault();
    focusListPane();
  }
}

/**
 * Moves the focus to the heading of an item when it is shown. Not from a field: the user may type while the item is loading.
 */
export function useFocusedHeading(isShown: boolean): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isField(document.activeElement)) heading.current?.focus();
  }, [isShown]);
  return heading;
}

interface PaneProps {
  readonly kind: 'list' | 'detail';
  readonly name: string;
  readonly children: ComponentChildren;
}

/** The list or the open item. */
export function Pane({ kind, name, children }: PaneProps) {
  return (
    <section class={`pane ${kind}`} aria-label={name} {...(kind === 'detail' && { tabIndex: -1 })}>
      {children}
    </section>
  );
}

interface ItemProps {
  readonly view: ViewName;
  readonly children: ComponentChildren;
}

/** The head of an open item, with the link to its list that narrow windows need. */
export function DetailHeader({ view, children }: ItemProps) {
  return (
    <header class="pane-header">
      <a class="back" href={hrefOf(view)}>
        Back
      </a>
      {children}
    </header>
  );
}

interface UnloadedItemProps {
  readonly view: ViewName;
  readonly query: Loaded<unknown>;
}

/** An item that is loading, or that could not be read. */
export function UnloadedItem({ view, query }: UnloadedItemProps) {
  return (
    <NoItem view={view}>
      <Waiting query={query} />
      <Problem text={query.problem} />
    </NoItem>
  );
}

/** An item that cannot be shown, with the link to its list that narrow windows need. */
export function NoItem({ view, children }: ItemProps) {
  return (
    <>
      <a class="back alone" href={hrefOf(view)}>
        Back
      </a>
      {children}
    </>
  );
}
