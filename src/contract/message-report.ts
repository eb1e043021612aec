import { z } from 'zod';
import { messageTypes } from './enums.ts';
import { openEnum, Timestamp } from './common.ts';

/** Statuses of a report (REPORT-2). */
const messageReportStatuses = [
  'Accepted',
  'Pending',
  'InProgress',
  'AttemptFailed',
  'Failed',
  'Completed',
  'Cancelled',
] as const;

/** Period and types of the messages of a report (REPORT-1). */
export const MessageReportRequest = z.object({
  dateFrom: z.string().optional(),
  dateTo: z.string().optional(),
  messageTypes: z.array(z.enum(messageTypes)).readonly().optional(),
});
export type MessageReportRequest = z.infer<typeof MessageReportRequest>;

/** A task that collects the messages of the account (REPORT-2). */
export const MessageReport = z.strictObject({
  id: z.string(),
  uri: z.url().optional(),
  status: openEnum(messageReportStatuses),
  accountId: z.string().optional(),
  /** The user who requested the report. */
  extensionId: z.string().optional(),
  dateFrom: Timestamp.optional(),
  dateTo: Timestamp.optional(),
  startTime: Timestamp.optional(),
  finishTime: Timestamp.optional(),
  messageTypes: z.array(openEnum(messageTypes)).optional(),
});
export type MessageReport = z.infer<typeof MessageReport>;

/** A file of a completed report (REPORT-3). */
const MessageReportFile = z.strictObject({ size: z.int().optional(), uri: z.url() });
export type MessageReportFile = z.infer<typeof MessageReportFile>;
export const MessageReportArchive = z.strictObject({ records: z.array(MessageReportFile) });
