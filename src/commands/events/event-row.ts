import { describeBody, eventSubject } from '../../features/live/notification/index.ts';
import {
  receiverOf,
  shownEvent,
  type Origin,
  type ShownEvent,
  type StoredEvent,
} from '../../features/live/index.ts';
import type { View } from '../../runtime/output.ts';

/** A stored event for the output. */
export interface EventRow extends ShownEvent {
  /** Of this inbox. */
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  readonly receiver: string;
  readonly origin: Origin;
}

/** A stored event as it is shown. */
export function toRow(stored: StoredEvent): EventRow {
  const { id, origin } = stored;
  const receivedAt = new Date(stored.receivedAt).toISOString();
  return { id, receivedAt, receiver: receiverOf(stored), origin, ...shownEvent(stored) };
}

export const eventView: View<EventRow> = {
  columns: [
    { key: 'id', title: 'ID', kind: 'id', value: (row) => row.id, priority: 5 },
    { key: 'receivedAt', title: 'RECEIVED', kind: 'time', value: (row) => row.receivedAt, priority: 4 },
    { key: 'event', title: 'EVENT', kind: 'text', value: (row) => eventSubject(row.event).name, priority: 4 },
    {
      key: 'extensionId',
      title: 'EXTENSION',
      kind: 'id',
      value: (row) => eventSubject(row.event).extensionId,
      priority: 2,
    },
    { key: 'what', title: 'WHAT', kind: 'text', value: describeBody, priority: 3 },
    { key: 'origin', title: 'ORIGIN', kind: 'text', value: (row) => row.origin, priority: 1 },
    { key: 'uuid', title: 'UUID', kind: 'id', value: (row) => row.uuid, priority: 0 },
  ],
  empty: 'No events yet; ucctl webhook listen and ucctl subscribe tail receive them.',
};
