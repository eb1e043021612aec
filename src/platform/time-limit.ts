/** A time for one piece of work. */
export interface TimeLimit {
  /** Aborts when the time is over, or with the signal that it was made of. */
  readonly signal: AbortSignal;
  /** Whether the time is over. */
  readonly isOver: () => boolean;
  /** The work is done: nothing is left at the other signal. */
  readonly end: () => void;
}

/**
 * Limits the time of work that a signal may end before. In the place of `AbortSignal.any`, which for each call leaves something at the signal it
 * is made of (Node 20): one that lives for months, as that of a listener, must not be asked for each event. Does not keep the process alive.
 */
export function limitTime(signal: AbortSignal, milliseconds: number): TimeLimit {
  const own = new AbortController();
  let isOver = false;
  const stop = (): void => own.abort(signal.reason);
  const timer = setTimeout(() => {
    isOver = true;
    own.abort(new DOMException(`not done within ${milliseconds / 1000} s`, 'TimeoutError'));
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
