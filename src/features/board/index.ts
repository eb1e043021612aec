export { outageText } from './outage.ts';
export { showBoard } from './show.ts';
export type { BoardPerson } from './state.ts';
