import { unlessAborted } from './aborted.ts';
import { eitherSignal } from './either-signal.ts';

/** A timeout for one task. */
export interface TimeLimit {
  /** Aborts after the timeout, or when the given signal aborts. */
  readonly signal: AbortSignal;
  /** Whether the timeout has elapsed. */
  readonly isOver: () => boolean;
  /** Removes the listener from the given signal. Must be called after the task. */
  readonly end: () => void;
}

/** Calls `onEnd` after some time. Returns a function that cancels the timer. */
export type StartTimer = (milliseconds: number, onEnd: () => void) => () => void;

const startOwnTimer: StartTimer = (milliseconds, onEnd) => {
  const timer = setTimeout(onEnd, milliseconds);
  timer.unref();
  return () => clearTimeout(timer);
};

/** Returns a timer that waits with the given function. */
export function timerOf(sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>): StartTimer {
  return (milliseconds, onEnd) => {
    const canceled = new AbortController();
    const wait = async (): Promise<void> => {
      try {
        await sleep(milliseconds, canceled.signal);
      } catch {
        return;
      }
      if (!canceled.signal.aborted) onEnd();
    };
    void wait();
    return () => canceled.abort();
  };
}

/**
 * Returns a timeout combined with a signal. Does not keep the process alive.
 * @param startTimer the timer; by default one that is independent of the clock of the program.
 */
export function limitTime(
  signal: AbortSignal,
  milliseconds: number,
  startTimer: StartTimer = startOwnTimer,
): TimeLimit {
  const timeout = new AbortController();
  const either = eitherSignal(signal, timeout.signal);
  const cancel = startTimer(milliseconds, () =>
    timeout.abort(new DOMException(`not finished within ${milliseconds / 1000} s`, 'TimeoutError')),
  );
  return {
    signal: either.signal,
    isOver: () => timeout.signal.aborted,
    end: () => {
      cancel();
      either.end();
    },
  };
}

/**
 * Returns the result of the work, unless the time is over earlier. The work then continues.
 * @throws {DOMException} `TimeoutError`
 */
export async function waitAtMost<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const limit = limitTime(new AbortController().signal, milliseconds);
  try {
    return await unlessAborted(work, limit.signal);
  } finally {
    limit.end();
  }
}
