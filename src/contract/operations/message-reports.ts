import { MediaQuery } from '../media.ts';
import { MessageReport, MessageReportArchive, MessageReportRequest } from '../message-report.ts';
import type { Operation } from './operation.ts';
import { account } from './paths.ts';

const common = {
  dialects: ['current'],
  section: 'Message store report',
  authorization: 'bearer',
  permission: 'ReadMessages',
  group: 'Heavy',
} as const;

/** Reports of all messages of the account. */
export const messageReports = {
  createMessageReport: {
    ...common,
    method: 'POST',
    path: `${account}/message-store-report`,
    summary: 'Starts a report of the messages of the account',
    body: MessageReportRequest,
    status: 202,
    reply: MessageReport,
  },
  readMessageReport: {
    ...common,
    method: 'GET',
    path: `${account}/message-store-report/{taskId}`,
    summary: 'Reads the status of a report',
    status: 200,
    reply: MessageReport,
  },
  listMessageReportFiles: {
    ...common,
    method: 'GET',
    path: `${account}/message-store-report/{taskId}/archive`,
    summary: 'Lists the files of a completed report',
    status: 200,
    reply: MessageReportArchive,
  },
  readMessageReportFile: {
    ...common,
    method: 'GET',
    path: `${account}/message-store-report/{taskId}/archive/{contentId}`,
    summary: 'Reads a file of a report, or a range of its bytes',
    query: MediaQuery,
    media: true,
    status: 200,
  },
} as const satisfies Record<string, Operation>;
