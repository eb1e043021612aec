export { describeBody, eventSubject } from './describe.ts';
export { splitEvents, toFilters } from './filters.ts';
export { notificationView } from './notification-view.ts';
export { checkEvents } from './checked-events.ts';
