import { signal } from '@preact/signals';

/** The views of the page of the sandbox, in the order of the navigation. */
export const sandboxViews = ['phones', 'messages', 'live', 'queues', 'calls', 'service'] as const;
export type ViewName = (typeof sandboxViews)[number] | 'board';

export interface Route {
  readonly view: ViewName;
  /** Whether the page has the view that the address names. If not, `view` is the first view. */
  readonly isKnown: boolean;
  /** The item that is open in the view, such as a conversation. */
  readonly rest: readonly string[];
}

let offered: readonly ViewName[] = sandboxViews;

/** The place in the page, as stored in the fragment of the address. */
export const route = signal<Route>({ view: 'live', isKnown: true, rest: [] });

/** The views that this page has, in the order of the navigation. */
export function offeredViews(): readonly ViewName[] {
  return offered;
}

function read(): Route {
  const [, first = '', ...rest] = location.hash.split('/');
  const named = offered.find((name) => name === first);
  return {
    view: named ?? offered[0] ?? 'live',
    isKnown: first === '' || named !== undefined,
    rest: rest.map(decodePart),
  };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the address of a place, for a link. */
export function hrefOf(view: ViewName, ...rest: readonly string[]): string {
  return `#/${[view, ...rest].map(encodeURIComponent).join('/')}`;
}

/** Opens a place. */
export function go(view: ViewName, ...rest: readonly string[]): void {
  location.hash = hrefOf(view, ...rest);
}

/** Follows the address of a page with these views. */
export function followRoute(views: readonly ViewName[]): void {
  offered = views;
  route.value = read();
  addEventListener('hashchange', () => {
    route.value = read();
  });
}
