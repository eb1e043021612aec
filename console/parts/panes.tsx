import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { hrefOf, route, type ViewName } from '../route.ts';

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
    const target = isOpen
      ? box.current?.querySelector<HTMLElement>('.detail')
      : document.querySelector<HTMLElement>(`main a[href="${closed}"]`);
    target?.focus();
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

/** An item that cannot be shown, with the link to its list that narrow windows need. */
export function NoItem({
  view,
  children,
}: {
  readonly view: ViewName;
  readonly children: ComponentChildren;
}) {
  return (
    <>
      <a class="back alone" href={hrefOf(view)}>
        Back
      </a>
      {children}
    </>
  );
}
