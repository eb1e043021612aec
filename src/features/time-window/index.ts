export { dateFilter, readSince, readTime, readWindow, type Window } from './window.ts';
