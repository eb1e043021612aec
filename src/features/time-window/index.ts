export { dateFilter, readTime, readWindow, type Window } from './window.ts';
