import type { MessageReport, MessageReportFile } from '../../contract/message-report.ts';
import { key, list, number, optional, record, text, time, type ReplyShape, word } from './shape.ts';

const report = record<MessageReport>(
  {
    id: key,
    uri: text,
    status: word,
    accountId: text,
    extensionId: text,
    dateFrom: time,
    dateTo: time,
    startTime: time,
    finishTime: time,
    messageTypes: optional(list(text)),
  },
  ['id', 'status'],
);

/** A report: its ID and its status let the client wait for it. The service starts it with 202 (REPORT-1). */
export const messageReportShape: ReplyShape = { ...report, statuses: [200, 202] };

/** A file of a report. The address is required, because a download needs it. */
export const messageReportFileShape = record<MessageReportFile>({ size: number, uri: word }, ['uri']);
