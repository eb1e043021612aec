import { conditionsOf, isEventName } from '../../features/live/notification/event-kinds.ts';
import { eventSubject } from '../../features/live/notification/notification.rows.ts';
import { text, textOf } from '../../runtime/output-schema.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';

export const subscriptionRows = rows(
  { of: 'Subscription', empty: 'No subscriptions.' },
  {
    id: { title: 'ID', kind: 'id', priority: 5 },
    status: { title: 'STATUS', kind: 'status', priority: 4 },
    events: { title: 'EVENTS', priority: 3, cell: (row) => row.eventFilters.map(shortFilter).join(' ') },
    expirationTime: { title: 'ENDS', kind: 'time', priority: 4 },
    transport: { title: 'TRANSPORT', priority: 1, cell: (row) => row.deliveryMode.transportType },
    address: { title: 'ADDRESS', priority: 2, cell: (row) => row.deliveryMode.address },
  },
);

/** A subscription that was deleted. */
export type DeletedRow = RowOf<typeof deletedRows>;

export const deletedRows = rows(
  {},
  {
    id: { schema: text, title: 'ID', kind: 'id', priority: 2 },
    status: { schema: textOf<'deleted'>(), title: 'STATUS', kind: 'status', priority: 1 },
  },
);

/** `messages@101?type=SMS`: the short name of a filter, its extension, and its conditions. */
function shortFilter(filter: string): string {
  const { name, extensionId } = eventSubject(filter);
  const subject = extensionId === undefined ? name : `${name}@${extensionId}`;
  if (!isEventName(name)) return subject;
  const conditions = conditionsOf(name, filter);
  return conditions === '' ? subject : `${subject}?${conditions}`;
}
