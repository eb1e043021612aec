import { array, integer, nullable, oneOf, optional, text, time } from '../../runtime/output-schema.ts';
import { timeOfDay } from '../../platform/moment.ts';
import type { View } from '../../runtime/output.ts';
import { rows, type RowOf } from '../../runtime/rows.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';

/** The end of one attempt of a consumer to process an event. */
export const consumedRows = rows(
  {},
  {
    time: { schema: time, title: 'TIME', kind: 'time', priority: 6 },
    consumer: { schema: text },
    /** The ID of the event in the store. */
    id: { schema: integer, title: 'ID', kind: 'id', priority: 8 },
    uuid: { schema: text, title: 'UUID', kind: 'id', priority: 0 },
    event: { schema: text, title: 'EVENT', priority: 7 },
    extensionId: { schema: nullable(text), title: 'EXTENSION', kind: 'id', priority: 5 },
    attempt: { schema: integer, title: 'ATTEMPT', kind: 'number', priority: 3 },
    result: {
      schema: oneOf('done', 'skipped', 'retry', 'dead', 'taken', 'released'),
      title: 'RESULT',
      kind: 'status',
      priority: 9,
    },
    milliseconds: { schema: integer, title: 'MS', kind: 'number', priority: 2 },
    problem: { schema: optional(text), title: 'PROBLEM', priority: 4, folds: true },
  },
);

export type ConsumedRow = RowOf<typeof consumedRows>;

export const consumedView: View<ConsumedRow> = { ...consumedRows.record, line: consumedText };

function consumedText(
  { time: at, id, event, result, attempt, milliseconds, problem }: ConsumedRow,
  zone?: string,
): string {
  const why = problem === undefined ? '' : `: ${problem}`;
  return `${timeOfDay(at, zone)}  event ${id} (${event}): ${result} on attempt ${attempt}, ${milliseconds} ms${why}`;
}

/** A consumer of the events of a store. */
export const consumerRows = rows(
  { empty: nextStep`No consumers. To start a consumer: ${ucctl('events consume NAME')}` },
  {
    consumer: { schema: text, title: 'CONSUMER', kind: 'id', priority: 9 },
    receiver: { schema: nullable(text), title: 'RECEIVER', priority: 3 },
    /** Events that are not finished: those in the log, and those that wait for a process or a retry. */
    waiting: { schema: integer, title: 'WAITING', kind: 'number', priority: 8 },
    running: { schema: integer, title: 'RUNNING', kind: 'number', priority: 5 },
    dead: { schema: integer, title: 'DEAD', kind: 'number', priority: 6 },
    /** Seconds since the receipt of the oldest event that is not finished. */
    lagSeconds: { schema: integer, title: 'LAG (S)', kind: 'number', priority: 7 },
    status: { schema: oneOf('active', 'replaying', 'removed'), title: 'STATUS', kind: 'status', priority: 4 },
  },
);

export type ConsumerRow = RowOf<typeof consumerRows>;

/** A receiver whose events go to a store. */
export const receiverRows = rows(
  { empty: nextStep`No receivers. To start a receiver: ${ucctl('webhook listen --sink store')}` },
  {
    receiver: { schema: text, title: 'RECEIVER', kind: 'id', priority: 9 },
    processes: { schema: integer, title: 'PROCESSES', kind: 'number', priority: 8 },
    /** The process that renews the subscription. */
    owner: { schema: nullable(text), title: 'OWNER', priority: 4 },
    subscriptionId: { schema: nullable(text), title: 'SUBSCRIPTION', kind: 'id', priority: 6 },
    eventFilters: { schema: array(text) },
    /** Events in the store; null if the events go to a stream. */
    events: {
      schema: nullable(integer),
      title: 'EVENTS',
      kind: 'number',
      priority: 5,
      shown: ({ events }) => events ?? 'in the stream',
    },
    lastEventAt: { schema: nullable(time), title: 'LAST EVENT', kind: 'time', priority: 7 },
    problem: { schema: nullable(text), title: 'PROBLEM', priority: 3, folds: true },
  },
);
