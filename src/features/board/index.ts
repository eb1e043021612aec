export type { BoardPerson } from './state.ts';
export { boardView } from './view.ts';
export { boardFilters, watchBoard } from './watch.ts';
