export { eventSubject, extensionOf } from './notification.rows.ts';
export { splitEvents, toFilters } from './filters.ts';
export { checkEvents } from './checked-events.ts';
export { presenceWord, wantedEvents, wordsOf } from './wanted-events.ts';
