import type { SmsBatch } from '../../contract/sms-batch.ts';
import { integer, nullable, text, time } from '../../runtime/output-schema.ts';
import { rows, source, type RowOf } from '../../runtime/rows.ts';

/** A batch of high-volume texts. */
export const batchRows = rows(
  { source: source<SmsBatch>(), empty: 'No batches.' },
  {
    id: { schema: text, from: ({ id }) => id, title: 'ID', kind: 'id', priority: 8 },
    creationTime: {
      schema: nullable(time),
      from: ({ creationTime }) => creationTime ?? null,
      title: 'TIME',
      kind: 'time',
      priority: 7,
    },
    from: {
      schema: nullable(text),
      from: ({ from }) => from ?? null,
      title: 'FROM',
      kind: 'phone',
      priority: 6,
    },
    status: {
      schema: nullable(text),
      from: ({ status }) => status ?? null,
      title: 'STATUS',
      kind: 'status',
      priority: 9,
    },
    size: {
      schema: nullable(integer),
      from: ({ batchSize }) => batchSize ?? null,
      title: 'TEXTS',
      kind: 'number',
      priority: 5,
    },
    processed: {
      schema: nullable(integer),
      from: ({ processedCount }) => processedCount ?? null,
      title: 'PROCESSED',
      kind: 'number',
      priority: 4,
    },
    rejected: {
      schema: integer,
      from: ({ rejected }) => rejected?.length ?? 0,
      title: 'REJECTED',
      kind: 'number',
      priority: 3,
    },
  },
);

/** One recipient of a batch. */
export type BatchReceiver = RowOf<typeof receiverRows>;

export const receiverRows = rows(
  { empty: 'No texts in this batch.' },
  {
    to: { schema: text, title: 'TO', kind: 'phone', priority: 9 },
    /** The status of the text, or Rejected if the service did not accept it. */
    status: { schema: text, title: 'STATUS', kind: 'status', priority: 8 },
    errorCode: { schema: nullable(text), title: 'ERROR', priority: 7 },
    reason: { schema: nullable(text), title: 'REASON', priority: 4, folds: 2 },
    lastModifiedTime: { schema: nullable(time), title: 'CHANGED', kind: 'time', priority: 5 },
    id: { schema: nullable(text), title: 'ID', kind: 'id', priority: 1 },
  },
);
