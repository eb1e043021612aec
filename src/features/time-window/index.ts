export { dateFilter, readSendTime, readSince, readTime, readWindow, type Window } from './window.ts';
