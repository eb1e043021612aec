/** A timeout for one task. */
export interface TimeLimit {
  /** Aborts after the timeout, or when the given signal aborts. */
  readonly signal: AbortSignal;
  /** Whether the timeout has elapsed. */
  readonly isOver: () => boolean;
  /** Removes the listener from the given signal. Must be called after the task. */
  readonly end: () => void;
}

/**
 * A timeout combined with a signal. Does not keep the process alive. `AbortSignal.any` is not used, because on Node
 * 20 each call leaks memory at the given signal, which matters for a listener that runs for months.
 */
export function limitTime(signal: AbortSignal, milliseconds: number): TimeLimit {
  const own = new AbortController();
  let isOver = false;
  const stop = (): void => own.abort(signal.reason);
  const timer = setTimeout(() => {
    isOver = true;
    own.abort(new DOMException(`not finished within ${milliseconds / 1000} s`, 'TimeoutError'));
  }, milliseconds);
  timer.unref();
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    signal: own.signal,
    isOver: () => isOver,
    end: () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    },
  };
}
