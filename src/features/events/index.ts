export { describeBody, eventSubject } from './describe.ts';
export { splitEvents, toFilters } from './filters.ts';
