import { useEffect, useState } from 'preact/hooks';
import type { EventFilter, InspectedEvent } from '../../src/features/live/inspect/types.ts';
import { whileVisible } from '../while-visible.ts';
import { api } from './api.ts';

/** Maximum number of events in the list. */
const mostEvents = 500;
/** Milliseconds until a failed request is repeated. */
const retryPause = 2000;

interface LiveList {
  /** Newest first; undefined before the first reply. */
  readonly events: readonly InspectedEvent[] | undefined;
  readonly problem: string | undefined;
}

/** The matching events, newest first. New events are added while the view is open. */
export function useLiveEvents(filter: EventFilter): LiveList {
  const [list, setList] = useState<LiveList>({ events: undefined, problem: undefined });
  const { text, kind } = filter;
  useEffect(() => {
    const position: Position = { last: undefined };
    return whileVisible((signal) => {
      void follow({ text, kind }, position, signal, (change) => {
        if (!signal.aborted) setList(change);
      });
    });
  }, [text, kind]);
  return list;
}

/** The last event that the list has received; undefined before the first reply. */
interface Position {
  last: number | undefined;
}

async function follow(
  filter: EventFilter,
  position: Position,
  signal: AbortSignal,
  set: (change: (before: LiveList) => LiveList) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      const page = await api.events(filter, position.last, signal);
      if (signal.aborted) return;
      const isFirst = position.last === undefined;
      position.last = page.last;
      set(({ events = [] }) => ({
        events: isFirst ? page.lines : [...page.lines.toReversed(), ...events].slice(0, mostEvents),
        problem: undefined,
      }));
    } catch (error) {
      if (signal.aborted) return;
      const problem = error instanceof Error ? error.message : String(error);
      // Events of another filter are not shown as the result of this one.
      const hasEvents = position.last !== undefined;
      set(({ events }) => ({ events: hasEvents ? events : undefined, problem }));
      await new Promise((resolve) => setTimeout(resolve, retryPause));
    }
  }
}
