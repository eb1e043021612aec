import { id, integer, list, moment, record, text, words } from '../shape.ts';

/** Batch of texts: `id` identifies it, and proves that it was accepted. */
export const smsBatch = record(
  {
    id,
    from: text,
    batchSize: integer,
    processedCount: integer,
    lastModifiedTime: moment,
    status: words('Processing', 'Completed', 'Sent'),
    creationTime: moment,
    rejected: list(record({ index: integer, to: list(text), errorCode: text, description: text })),
    cost: integer,
  },
  'id',
);

/** Text of a batch. */
export const smsBatchMessage = record(
  {
    id,
    batchId: id,
    from: text,
    to: list(text),
    creationTime: moment,
    lastModifiedTime: moment,
    messageStatus: words('Queued', 'Delivered', 'Sent', 'SendingFailed', 'DeliveryFailed'),
    segmentCount: integer,
    text,
    cost: integer,
    direction: words('Inbound', 'Outbound'),
    errorCode: text,
  },
  'id',
);
