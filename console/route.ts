import { signal } from '@preact/signals';

/** The views of the page, in the order of the navigation. */
export const viewNames = ['phones', 'messages', 'live', 'queues', 'calls', 'service'] as const;
export type ViewName = (typeof viewNames)[number];

export interface Route {
  readonly view: ViewName;
  /** What is open in the view, such as a conversation. */
  readonly rest: readonly string[];
}

/** The place in the page, which the fragment of the address names. */
export const route = signal<Route>(read());

function read(): Route {
  const [, first = '', ...rest] = location.hash.split('/');
  const view = viewNames.find((name) => name === first) ?? 'phones';
  return { view, rest: rest.map(decodePart) };
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The address of a place, for a link. */
export function hrefOf(view: ViewName, ...rest: readonly string[]): string {
  return `#/${[view, ...rest].map(encodeURIComponent).join('/')}`;
}

/** Opens a place. */
export function go(view: ViewName, ...rest: readonly string[]): void {
  location.hash = hrefOf(view, ...rest);
}

/** Follows the address of the page. */
export function followRoute(): void {
  addEventListener('hashchange', () => {
    route.value = read();
  });
}
