import { useEffect } from 'preact/hooks';
import type { PageFacts } from '../../src/platform/local-page/types.ts';
import { bump } from '../changes.ts';
import { ViewHeader } from '../parts/basics.tsx';
import { Shell } from '../parts/shell.tsx';
import { useQuery } from '../query.ts';
import { api } from './api.ts';
import { BoardView } from './board.tsx';
import { CallsView } from './calls.tsx';
import { LiveView } from './live.tsx';
import { MessagesView } from './messages.tsx';
import { QueuesView } from './queues.tsx';
import { ServiceView } from './service.tsx';

const views = {
  live: LiveView,
  messages: MessagesView,
  board: BoardView,
  calls: CallsView,
  queues: QueuesView,
  service: ServiceView,
} as const;

/** Milliseconds after which local data is read again, because other processes update it. */
const refreshPause = 5000;

/** The page of a profile, or of one receiver. */
export function App({ facts }: { readonly facts: PageFacts }) {
  // A view that requests nothing on its own also shows whether the program replies.
  useQuery('page', ['service'], () => api.page());
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') bump(['events', 'messages', 'service']);
    }, refreshPause);
    return () => clearInterval(timer);
  }, []);
  return (
    <Shell brand={facts.profile ?? 'ucctl'} title={facts.title} views={views}>
      {facts.isReadOnly && <p class="quiet">Read-only</p>}
    </Shell>
  );
}

/** The page if its program does not reply, or rejects the token. */
export function ServerProblem({ text }: { readonly text: string }) {
  return (
    <main class="view">
      <ViewHeader title="Cannot load the page" about={text} />
    </main>
  );
}
