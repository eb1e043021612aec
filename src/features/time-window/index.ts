export { dateFilter, readWindow, type Window } from './window.ts';
