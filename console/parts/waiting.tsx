import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Loaded } from '../query.ts';

/** Milliseconds without a reply until the text appears: a text that disappears at once would only distract. */
const usualMilliseconds = 300;

interface WaitingProps {
  readonly query: Pick<Loaded<unknown>, 'data' | 'error'>;
  readonly text?: string;
  /** Further text, for example the reason of a long wait. */
  readonly children?: ComponentChildren;
}

/** States that data is loading until the first reply. */
export function Waiting({ query: { data, error }, text = 'Loading…', children }: WaitingProps) {
  return data === undefined && error === undefined ? <Wait text={text}>{children}</Wait> : null;
}

function Wait({ text, children }: Pick<WaitingProps, 'text' | 'children'>) {
  const isLong = useElapsed(usualMilliseconds);
  // Screen readers announce the text because its element exists before.
  return (
    <p class="quiet waiting" role="status">
      {isLong && (
        <>
          {text} {children}
        </>
      )}
    </p>
  );
}

/** Whether this time has passed since the first drawing. */
export function useElapsed(milliseconds: number): boolean {
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), milliseconds);
    return () => clearTimeout(timer);
  }, []);
  return isOver;
}
