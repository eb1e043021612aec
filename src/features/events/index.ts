export { describeBody, eventSubject } from './describe.ts';
export { splitEvents, toFilters, type Filters } from './filters.ts';
export { EVENT_NAMES } from './names.ts';
