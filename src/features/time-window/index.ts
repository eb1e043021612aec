export { withRange } from './named-range.ts';
export { dateFilter, readSendTime, readSince, readTime, readWindow, type Window } from './window.ts';
