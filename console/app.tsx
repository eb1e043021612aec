import { useEffect } from 'preact/hooks';
import { api } from './api.ts';
import { connection } from './changes.ts';
import { clockMode, runClock, sandboxNow, setClock } from './clock.ts';
import { momentText } from './format.ts';
import { ViewIcon } from './parts/icons.tsx';
import { NoticeBar } from './parts/notice.tsx';
import { useQuery } from './query.ts';
import { go, hrefOf, route, viewNames, type ViewName } from './route.ts';
import { CallsView } from './views/calls.tsx';
import { LiveView } from './views/live.tsx';
import { MessagesView } from './views/messages.tsx';
import { PhonesView } from './views/phones.tsx';
import { QueuesView } from './views/queues.tsx';
import { ServiceView } from './views/service.tsx';

const titles: Readonly<Record<ViewName, string>> = {
  phones: 'Phones',
  messages: 'Messages',
  live: 'Live',
  queues: 'Queues',
  calls: 'Calls',
  service: 'Service',
};

const views: Readonly<Record<ViewName, () => preact.JSX.Element>> = {
  phones: PhonesView,
  messages: MessagesView,
  live: LiveView,
  queues: QueuesView,
  calls: CallsView,
  service: ServiceView,
};

/** The whole page: navigation, state of the sandbox, and one view. */
export function App() {
  const { view } = route.value;
  const status = useQuery('status', ['service'], api.status);
  const { data } = status;
  useEffect(() => {
    if (data) setClock(data.time, data.clock);
  }, [data]);
  useEffect(() => {
    runClock();
    addEventListener('keydown', onShortcut);
  }, []);
  useEffect(() => {
    document.title = `${titles[view]} · ucctl sandbox`;
  }, [view]);
  const View = views[view];
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <div class="shell">
        <nav aria-label="Views">
          <p class="brand">
            <span aria-hidden="true">u</span> Sandbox
          </p>
          <ul>
            {viewNames.map((name, index) => (
              <li key={name}>
                <a
                  href={hrefOf(name)}
                  aria-current={name === view ? 'page' : undefined}
                  title={`Key ${index + 1}`}
                >
                  <ViewIcon view={name} />
                  <span>{titles[name]}</span>
                </a>
              </li>
            ))}
          </ul>
          <SandboxState />
        </nav>
        <main id="main" tabIndex={-1} class={`view view-${view}`}>
          <View key={view} />
        </main>
      </div>
      <NoticeBar />
    </>
  );
}

const connectionTexts = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Not reachable, retrying',
} as const;

/** Whether the page receives changes, and the time of the sandbox. */
function SandboxState() {
  const now = sandboxNow.value;
  const mode = clockMode.value;
  return (
    <div class="sandbox-state">
      <p class={`connection ${connection.value}`} role="status">
        {connectionTexts[connection.value]}
      </p>
      {now !== undefined && (
        <a href={hrefOf('service')} class="clock">
          <time dateTime={new Date(now).toISOString()}>{momentText(new Date(now).toISOString())}</time>
          <span>
            {mode === 'real' ? 'Clock runs' : `Clock ${mode === 'frozen' ? 'is frozen' : `runs ${mode}`}`}
          </span>
        </a>
      )}
    </div>
  );
}

/** Keys outside of fields: a digit opens a view, and `/` goes to the search of the view. */
function onShortcut(event: KeyboardEvent): void {
  const isInField = (event.target as Element | null)?.matches('input, select, textarea') ?? false;
  if (isInField || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = viewNames[Number(event.key) - 1];
  if (view) go(view);
  if (event.key !== '/') return;
  const search = document.querySelector<HTMLElement>('[data-search]');
  if (!search) return;
  event.preventDefault();
  search.focus();
}

function focusMain(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main')?.focus();
}
