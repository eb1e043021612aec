import type { SmsBatch, SmsBatchMessage } from '../../contract/sms-batch.ts';
import { digits, key, list, number, object, optional, record, text, time } from './shape.ts';

/** A batch of high-volume texts. */
export const smsBatchShape = record<SmsBatch>(
  {
    id: key,
    from: text,
    batchSize: number,
    processedCount: number,
    lastModifiedTime: time,
    status: text,
    creationTime: time,
    rejected: optional(
      list(
        object<NonNullable<SmsBatch['rejected']>[number]>({
          index: number,
          to: optional(list(text)),
          errorCode: text,
          description: text,
        }),
      ),
    ),
    cost: number,
  },
  ['id'],
);

/** A text of a batch. */
export const smsBatchMessageShape = record<SmsBatchMessage>(
  {
    id: digits,
    batchId: text,
    from: text,
    to: optional(list(text)),
    creationTime: time,
    lastModifiedTime: time,
    messageStatus: text,
    segmentCount: number,
    text,
    cost: number,
    direction: text,
    errorCode: text,
  },
  ['id'],
);
