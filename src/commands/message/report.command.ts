import { messageTypes } from '../../contract/enums.ts';
import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { MessageReportOptions } from './report.ts';
import { reportRows } from './report.rows.ts';

export const messageReport = defineCommand<MessageReportOptions>({
  path: ['message', 'report'],
  summary: 'Request a report of all messages of the account, and list its files',
  description:
    'The service collects the messages of all mailboxes in a message store report, e.g. for a compliance archive. ' +
    'ucctl waits until the report is complete. ' +
    'ucctl download -f reads the list and downloads the files.',
  options: {
    ...windowOptions,
    type: {
      type: 'list',
      choices: messageTypes,
      value: 'TYPE',
      summary: 'Message types to include; default: all',
    },
    id: {
      type: 'string',
      value: 'REPORT',
      summary: 'List the files of an earlier report instead of requesting a new report',
      conflicts: ['since', 'until', 'type'],
    },
    waitTimeout: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 86_400,
      summary: 'Maximum wait for the report (default: --timeout if given, otherwise 1h)',
    },
  },
  examples: [
    {
      comment: 'Download all messages of the last 30 days for a compliance archive',
      command: 'ucctl message report --since 30d -o csv | ucctl download -f - --dir reports',
    },
  ],
  permissions: ['ReadMessages'],
  dialect: 'current',
  rateGroup: 'Heavy',
  output: list(reportRows),
  exitCodes: {
    3: 'report not found',
    5: 'reports require an administrator',
    13: 'the report failed, or is not complete yet (--id)',
    14: 'no reply, or a reply without an ID: the service may be creating a report',
  },
  load: () => import('./report.ts').then((m) => m.reportMessages),
});
