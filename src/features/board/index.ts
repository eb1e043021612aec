export { NotificationQueue } from './notification-queue.ts';
export { outageText } from './outage.ts';
export { showBoard } from './show.ts';
export type { BoardPerson } from './state.ts';
export { boardFilters } from './members.ts';
