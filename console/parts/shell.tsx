import { useEffect, useLayoutEffect } from 'preact/hooks';
import type { ComponentChildren, JSX } from 'preact';
import { connection } from '../changes.ts';
import { timeZone } from '../format.ts';
import { go, hrefOf, offeredViews, route, type ViewName } from '../route.ts';
import { ViewHeader } from './basics.tsx';
import { ViewIcon } from './icons.tsx';
import { isField, keepFocus } from './keep-focus.ts';
import { NoticeBar } from './notice.tsx';
import { isAsking } from './question.ts';

const titles: Readonly<Record<ViewName, string>> = {
  phones: 'Phones',
  messages: 'Messages',
  live: 'Live',
  board: 'Board',
  queues: 'Queues',
  calls: 'Calls',
  service: 'Service',
};

interface ShellProps {
  readonly brand: string;
  /** Title of the browser window after the name of the view. */
  readonly title: string;
  readonly views: Readonly<Partial<Record<ViewName, () => JSX.Element>>>;
  /** Further lines below the navigation. */
  readonly children?: ComponentChildren;
}

/** The whole page: navigation, state of the connection, and one view. */
export function Shell({ brand, title, views, children }: ShellProps) {
  const { view, isKnown } = route.value;
  const offered = offeredViews();
  // Not useEffect, which runs after the page is drawn: a key pressed before would have no effect.
  useLayoutEffect(() => {
    addEventListener('keydown', onShortcut);
    return () => removeEventListener('keydown', onShortcut);
  }, []);
  useEffect(keepFocus, []);
  // Before the page is drawn, so that the title never names the view before.
  useLayoutEffect(() => {
    document.title = `${isKnown ? titles[view] : notFound} · ${title}`;
  }, [view, isKnown, title]);
  const View = views[view];
  return (
    <>
      <a class="skip" href="#main" onClick={focusMain}>
        Skip to content
      </a>
      <div class="shell">
        <nav aria-label="Views">
          <p class="brand">
            <span aria-hidden="true">u</span> {brand}
          </p>
          <ul>
            {offered.map((name, index) => (
              <li key={name}>
                <a
                  href={hrefOf(name)}
                  aria-current={isKnown && name === view ? 'page' : undefined}
                  title={`Key ${index + 1}`}
                >
                  <ViewIcon view={name} />
                  <span>{titles[name]}</span>
                </a>
              </li>
            ))}
          </ul>
          <div class="page-state">
            <p class={`connection ${connection.value}`} role="status">
              {connectionTexts[connection.value]}
            </p>
            <p class="zone">Times in {timeZone}</p>
            {children}
          </div>
        </nav>
        <main id="main" tabIndex={-1} class={`view view-${view}`}>
          {isKnown ? View && <View key={view} /> : <ViewHeader title={notFound} about={unknownText()} />}
        </main>
      </div>
      <NoticeBar />
    </>
  );
}

const notFound = 'Address not found';

/** Explains that no view has the address of the page. */
function unknownText(): string {
  return `The address ${location.hash} is not a view of this page. Select a view.`;
}

const connectionTexts = {
  connecting: 'Connecting',
  live: 'Page connected',
  lost: 'Not reachable, retrying',
  rejected: 'Address no longer valid',
} as const;

/**
 * Handles keys outside of input fields and dialogs: a digit opens a view, and `/` moves the focus to the search field of
 * the view.
 */
function onShortcut(event: KeyboardEvent): void {
  if (isField(event.target) || isAsking() || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = offeredViews()[Number(event.key) - 1];
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
