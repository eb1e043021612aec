export { describeBody, eventSubject } from './describe.ts';
export { splitEvents, toFilters } from './filters.ts';
export { notificationView, type NameOfExtension } from './notification-view.ts';
export { checkEvents } from './checked-events.ts';
