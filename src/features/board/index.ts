export type { BoardPerson, BoardRow } from './state.ts';
export { boardView } from './view.ts';
export { boardFilters, watchBoard } from './watch.ts';
