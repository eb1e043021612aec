import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Pixels above the end of the messages that still count as their end. */
const tolerance = 40;

interface BubblesProps {
  /** The newest message, with its text for screen readers. */
  readonly newest: { readonly id: string; readonly text: string } | undefined;
  readonly children: ComponentChildren;
}

/** The messages of a conversation. It shows a new message, unless the user reads earlier ones. */
export function Bubbles({ newest, children }: BubblesProps) {
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useLayoutEffect(() => {
    const element = box.current;
    if (element && isAtEnd.current) element.scrollTop = element.scrollHeight;
  }, [newest?.id]);
  const atFirst = useRef(newest?.id);
  const hasNew = newest !== undefined && newest.id !== atFirst.current;
  const follow = (): void => {
    const element = box.current;
    if (!element) return;
    isAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight <= tolerance;
  };
  return (
    <>
      <div class="bubbles" tabIndex={0} role="region" aria-label="Messages" ref={box} onScroll={follow}>
        <ol>{children}</ol>
      </div>
      <p class="hidden-text" role="status">
        {hasNew && newest.text}
      </p>
    </>
  );
}
