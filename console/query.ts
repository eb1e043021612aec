import { useEffect, useRef, useState } from 'preact/hooks';
import { effect } from '@preact/signals';
import { connection, versionOf, type Topic } from './changes.ts';
import { useLatest } from './parts/latest.ts';

/** The data that a query has loaded so far. */
export interface Loaded<T> {
  readonly data: T | undefined;
  /** Message of the failure of the last load. */
  readonly problem: string | undefined;
  /** The failure of the last load. */
  readonly error: unknown;
  /** Loads again. */
  readonly reload: () => void;
}

interface State<T> {
  readonly key: string;
  readonly data?: T;
  readonly error?: unknown;
}

/** A failed request to the server of the page. */
export class RequestFailure extends Error {
  override readonly name: string = 'RequestFailure';
  /** HTTP status of the reply; undefined without a reply. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** Whether the requested item does not exist, so that data from an earlier reply must not be shown. */
function isGone(error: unknown): boolean {
  return error instanceof RequestFailure && error.status === 404;
}

/** Whether there was no reply. If the page still receives changes, no later connection makes it read again. */
function isUnanswered(error: unknown): boolean {
  return error instanceof RequestFailure && error.status === undefined;
}

/** Milliseconds until a request without a reply is repeated. */
const retryPause = 2000;

/**
 * Shortest time between two loads of one query in milliseconds, so that a burst of changes does not cause continuous
 * loading.
 */
const shortestPause = 250;

/**
 * Loads data, and loads it again after a change of the topics, of `key` or of `size`. Data of another key is never shown.
 * At most one request of a query is under way.
 * @param size how much of the list is shown. The shorter list remains until the longer list has arrived.
 */
export function useQuery<T>(
  key: string,
  topics: readonly Topic[],
  load: () => Promise<T>,
  size?: number,
): Loaded<T> {
  const [state, setState] = useState<State<T>>({ key });
  const latest = useLatest(load);
  const again = useRef<() => void>(() => undefined);
  useEffect(() => {
    let isOpen = true;
    let isLoading = false;
    let isDue = false;
    const run = async (): Promise<void> => {
      if (isLoading) {
        isDue = true;
        return;
      }
      isLoading = true;
      let pause = shortestPause;
      try {
        const data = await latest.current();
        if (isOpen) setState({ key, data });
      } catch (error) {
        const fail = (before: State<T>): State<T> =>
          before.key === key && !isGone(error) ? { ...before, error } : { key, error };
        if (isOpen) setState(fail);
        if (isUnanswered(error) && connection.peek() === 'live') {
          isDue = true;
          pause = retryPause;
        }
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
      isLoading = false;
      if (isDue && isOpen) {
        isDue = false;
        void run();
      }
    };
    again.current = () => void run();
    const stop = effect(() => {
      versionOf(topics);
      void run();
    });
    return () => {
      isOpen = false;
      stop();
    };
  }, [key, size]);
  const isCurrent = state.key === key;
  const error = isCurrent ? state.error : undefined;
  return {
    data: isCurrent ? state.data : undefined,
    problem: error === undefined ? undefined : messageOf(error),
    error,
    reload: () => again.current(),
  };
}

/** Returns the message of a failure. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'The request failed.';
}
