import { z } from 'zod';
import { Id, multi, openEnum, PerPage, Timestamp } from './common.ts';
import { directions } from './enums.ts';
import { smsTextUnits } from './limits.ts';

/** Statuses of a batch of high-volume texts (TEXTBATCH-4). */
const smsBatchStatuses = ['Processing', 'Completed', 'Sent'] as const;
/** Statuses of a text of a batch (TEXTBATCH-6). */
const smsBatchMessageStatuses = ['Queued', 'Delivered', 'Sent', 'SendingFailed', 'DeliveryFailed'] as const;

/** A request that sends texts as a batch (TEXTBATCH-1). `text` is the text of messages without their own. */
export const SmsBatchRequest = z.object({
  from: z.string(),
  text: z.string().optional(),
  messages: z
    .array(z.object({ to: z.array(z.string()).min(1), text: z.string().max(smsTextUnits).optional() }))
    .min(1),
});
export type SmsBatchRequest = z.infer<typeof SmsBatchRequest>;

/** A text of a batch that the service did not accept (TEXTBATCH-3). `index` is its position in `messages` of the request. */
const RejectedText = z.strictObject({
  index: z.int().optional(),
  to: z.array(z.string()).optional(),
  errorCode: z.string().optional(),
  description: z.string().optional(),
});

/** A batch of high-volume texts (TEXTBATCH-2 to TEXTBATCH-4). */
export const SmsBatch = z.strictObject({
  id: z.string(),
  from: z.string().optional(),
  batchSize: z.int().optional(),
  processedCount: z.int().optional(),
  lastModifiedTime: Timestamp.optional(),
  status: openEnum(smsBatchStatuses).optional(),
  creationTime: Timestamp.optional(),
  rejected: z.array(RejectedText).optional(),
  cost: z.number().optional(),
});
export type SmsBatch = z.infer<typeof SmsBatch>;

/** A text of a batch (TEXTBATCH-6). */
export const SmsBatchMessage = z.strictObject({
  id: Id,
  batchId: z.string().optional(),
  from: z.string().optional(),
  to: z.array(z.string()).optional(),
  creationTime: Timestamp.optional(),
  lastModifiedTime: Timestamp.optional(),
  messageStatus: openEnum(smsBatchMessageStatuses).optional(),
  segmentCount: z.int().optional(),
  text: z.string().optional(),
  cost: z.number().optional(),
  direction: openEnum(['Inbound', 'Outbound']).optional(),
  errorCode: z.string().optional(),
});
export type SmsBatchMessage = z.infer<typeof SmsBatchMessage>;

/** The position in a list of batches or their texts: a token instead of a page number (TEXTBATCH-7). */
const TokenPaging = z.strictObject({
  perPage: z.int(),
  pageToken: z.string().optional(),
  nextPageToken: z.string().optional(),
  previousPageToken: z.string().optional(),
  firstPageToken: z.string().optional(),
});
const TokenQuery = z.object({ pageToken: z.string().optional(), perPage: PerPage.optional() });

export const SmsBatchList = z.strictObject({ records: z.array(SmsBatch), paging: TokenPaging });
export const SmsBatchMessageList = z.strictObject({
  records: z.array(SmsBatchMessage),
  paging: TokenPaging,
});

export const SmsBatchQuery = TokenQuery.extend({
  dateFrom: z.string().optional(),
  dateTo: z.string().optional(),
  from: z.string().optional(),
  /** The filter also accepts Queued, although no batch has this status. */
  status: multi(z.enum([...smsBatchStatuses, 'Queued'])),
});
/** Filters of the list of batches (TEXTBATCH-5). */
export interface SmsBatchFilter {
  readonly dateFrom?: string;
  readonly dateTo?: string;
  readonly from?: string;
  readonly status?: readonly string[];
}

export const SmsBatchMessageQuery = TokenQuery.extend({
  batchId: z.string().optional(),
  direction: multi(z.enum(directions)),
  dateFrom: z.string().optional(),
  dateTo: z.string().optional(),
  view: z.enum(['Simple', 'Detailed']).optional(),
  phoneNumber: multi(z.string()),
});
/** Filters of the list of texts (TEXTBATCH-6). */
export interface SmsBatchMessageFilter {
  readonly batchId?: string;
  readonly view?: 'Simple' | 'Detailed';
}
