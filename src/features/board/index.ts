export { callText, type BoardRow } from './board.rows.ts';
export { showBoard } from './show.ts';
export type { BoardPerson } from './state.ts';
