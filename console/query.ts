import { useEffect, useRef, useState } from 'preact/hooks';
import { effect } from '@preact/signals';
import { versionOf, type Topic } from './changes.ts';

/** What a query has loaded so far. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly problem: string | undefined;
  /** Loads again. */
  readonly reload: () => void;
}

/** Shortest time between two loads of one query in milliseconds, so that a burst of changes does not load without end. */
const shortestPause = 250;

/**
 * Loads data, and loads it again after a change of the topics or of `key`. Data of another key is never shown. At most
 * one request of a query is under way.
 */
export function useQuery<T>(key: string, topics: readonly Topic[], load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ key: string; data?: T; problem?: string }>({ key });
  const latest = useRef(load);
  latest.current = load;
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
      try {
        const data = await latest.current();
        if (isOpen) setState({ key, data });
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (isOpen) setState((before) => (before.key === key ? { ...before, problem } : { key, problem }));
      }
      await new Promise((resolve) => setTimeout(resolve, shortestPause));
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
  }, [key]);
  const isCurrent = state.key === key;
  return {
    data: isCurrent ? state.data : undefined,
    problem: isCurrent ? state.problem : undefined,
    reload: () => again.current(),
  };
}
