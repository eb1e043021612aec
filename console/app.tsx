import { useEffect } from 'preact/hooks';
import { api } from './api.ts';
import { clockMode, runClock, sandboxNow, setClock } from './clock.ts';
import { momentText } from './format.ts';
import { Shell } from './parts/shell.tsx';
import { useQuery } from './query.ts';
import { hrefOf } from './route.ts';
import { CallsView } from './views/calls.tsx';
import { LiveView } from './views/live.tsx';
import { MessagesView } from './views/messages.tsx';
import { PhonesView } from './views/phones.tsx';
import { QueuesView } from './views/queues.tsx';
import { ServiceView } from './views/service.tsx';

const views = {
  phones: PhonesView,
  messages: MessagesView,
  live: LiveView,
  queues: QueuesView,
  calls: CallsView,
  service: ServiceView,
} as const;

/** The page of the sandbox. */
export function App() {
  const { data } = useQuery('status', ['service'], api.status);
  useEffect(() => {
    if (data) setClock(data.time, data.clock);
  }, [data]);
  useEffect(runClock, []);
  return (
    <Shell brand="Sandbox" title="ucctl sandbox" views={views}>
      <SandboxClock />
    </Shell>
  );
}

/** The time of the sandbox. */
function SandboxClock() {
  const now = sandboxNow.value;
  const mode = clockMode.value;
  if (now === undefined) return null;
  return (
    <a href={hrefOf('service')} class="clock">
      <time dateTime={new Date(now).toISOString()}>{momentText(new Date(now).toISOString())}</time>
      <span>
        {mode === 'real' ? 'Clock runs' : `Clock ${mode === 'frozen' ? 'is frozen' : `runs ${mode}`}`}
      </span>
    </a>
  );
}
