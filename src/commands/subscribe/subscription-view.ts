import type { Subscription } from '../../contract/subscription.ts';
import { eventSubject } from '../../features/live/notification/index.ts';
import type { View } from '../../runtime/output.ts';

export const subscriptionView: View<Subscription> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 5 },
    { key: 'status', title: 'STATUS', kind: 'status', value: (row) => row.status, priority: 4 },
    {
      key: 'events',
      title: 'EVENTS',
      kind: 'text',
      value: (row) => row.eventFilters.map(shortFilter).join(' '),
      priority: 3,
    },
    { key: 'expirationTime', title: 'ENDS', kind: 'time', value: (row) => row.expirationTime, priority: 4 },
    {
      key: 'transport',
      title: 'TRANSPORT',
      kind: 'text',
      value: (row) => row.deliveryMode.transportType,
      priority: 1,
    },
    { key: 'address', title: 'ADDRESS', kind: 'text', value: (row) => row.deliveryMode.address, priority: 2 },
  ],
  empty: 'No subscriptions.',
};

function shortFilter(filter: string): string {
  const { name, extensionId } = eventSubject(filter);
  return extensionId === undefined ? name : `${name}@${extensionId}`;
}
