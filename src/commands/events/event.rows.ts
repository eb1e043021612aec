import { eventSubject, extensionOf, uuidOf } from '../../features/live/notification/notification.rows.ts';
import type { Delivery, Origin } from '../../features/live/index.ts';
import {
  allOf,
  anything,
  array,
  flag,
  id,
  integer,
  nullable,
  number,
  object,
  optional,
  record,
  text,
  textOf,
  time,
} from '../../runtime/output-schema.ts';
import type { View } from '../../runtime/output.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** A stored event for the output. */
export type EventRow = RowOf<typeof eventRows>;

export const eventRows = rows(
  {},
  {
    /** The ID of the event in the inbox of this profile. */
    id: { schema: integer, title: 'ID', kind: 'id', priority: 5 },
    receivedAt: { schema: time, title: 'RECEIVED', kind: 'time', priority: 6 },
    receiver: { schema: text },
    origin: { schema: textOf<Origin>(), title: 'ORIGIN', priority: 1 },
    uuid: {
      schema: optional(nullable(text)),
      title: 'UUID',
      kind: 'id',
      priority: 0,
      cell: (row) => uuidOf(row.uuid),
    },
    event: {
      schema: optional(nullable(text)),
      title: 'EVENT',
      priority: 3,
      cell: (row) => eventSubject(row.event ?? '').name,
    },
    timestamp: { schema: optional(nullable(text)) },
    subscriptionId: { schema: optional(nullable(text)) },
    ownerId: { schema: optional(nullable(id)) },
    body: {
      schema: optional(anything),
      title: 'BODY',
      cell: (row) => (row.body === undefined ? undefined : JSON.stringify(row.body)),
    },
    recovered: { schema: optional(flag) },
    encryptedBody: { schema: optional(anything) },
    extensionId: {
      title: 'EXTENSION',
      kind: 'id',
      priority: 2,
      cell: (row) => extensionOf({ event: row.event ?? '', body: row.body }),
    },
    /** One sentence that names the person and the event. */
    details: { schema: optional(text), title: 'DETAILS', priority: 5, folds: 3, below: '' },
    /** The new messages of a mailbox event, newest first, if a listener read them. */
    messages: { schema: optional(array(anything)) },
  },
);

const columns = ['id', 'receivedAt', 'event', 'extensionId', 'details', 'origin', 'uuid'];

export const eventView = eventRows.pick(
  columns,
  nextStep`No events. Use ${ucctl('webhook listen')} or ${ucctl('subscribe tail')} to receive events.`,
);

/** The deliveries of an event, which `events show` adds to the event. */
export type EventDetail = EventRow & RowOf<typeof deliveriesRows>;

const deliveriesRows = rows(
  {},
  {
    deliveries: {
      schema: array(
        object({
          target: text,
          state: textOf<Delivery['state']>(),
          attempts: integer,
          problem: nullable(text),
          milliseconds: nullable(number),
        }),
      ),
      title: 'DELIVERIES',
      cell: (row) => row.deliveries.map(({ target, state }) => `${target} ${state}`).join(', '),
    },
  },
);

export const eventDetailOutput = record(() => allOf(eventRows, deliveriesRows));

export const eventDetailView: View<EventDetail> = {
  columns: [...eventView.columns, ...deliveriesRows.record.columns, ...eventRows.pick(['body']).columns],
};
