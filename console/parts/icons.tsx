import type { ViewName } from '../route.ts';

const paths: Readonly<Record<ViewName, string>> = {
  phones:
    'M6.5 3.5 9 3l1.5 4-2 1.5a10 10 0 0 0 5 5l1.5-2 4 1.5-.5 2.5c-.2 1-1 1.6-2 1.5C9.500 16.500 5.500 12.500 5 5.500c-.1-1 .5-1.800 1.500-2Z',
  messages: 'M4 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H9l-4 3.500V16H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Z',
  live: 'M2.500 11h4l2.500-6 4 12 2.500-6h4',
  board:
    'M4 4.500h5.500v5.500H4zM12.500 4.500H18V10h-5.500zM4 12.500h5.500V18H4zM12.500 12.500H18V18h-5.500z',
  queues: 'M11 4.500a2.500 2.500 0 1 1 0 5 2.500 2.500 0 0 1 0-5ZM5 17.500c0-3 2.700-5 6-5s6 2 6 5',
  calls: 'M4 5.500h14M4 11h14M4 16.500h9',
  service: 'M4 4.500h14v5H4zM4 12.500h14v5H4zM7 7h.01M7 15h.01',
};

/** The icon of a view. Decoration only: its name follows it. */
export function ViewIcon({ view }: { readonly view: ViewName }) {
  return (
    <svg class="icon" viewBox="0 0 22 22" aria-hidden="true">
      <path d={paths[view]} />
    </svg>
  );
}
