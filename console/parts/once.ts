import { useRef } from 'preact/hooks';

/**
 * Returns a function that runs an action of the user. While the action runs, and at the second click of a double click,
 * the function does nothing, so that nothing is sent twice.
 */
export function useOnce(): (work: () => Promise<unknown>, click?: MouseEvent) => Promise<void> {
  const isRunning = useRef(false);
  return async (work, click) => {
    // The detail of a click is its number in a series of fast clicks, and 0 for a key.
    if (isRunning.current || (click && click.detail > 1)) return;
    isRunning.current = true;
    try {
      await work();
    } finally {
      isRunning.current = false;
    }
  };
}

/** Returns the handler of a form that runs an action of the user, also at most once at a time. */
export function useSubmit(work: () => Promise<unknown>): (event: Event) => void {
  const once = useOnce();
  return (event) => {
    event.preventDefault();
    void once(work);
  };
}
