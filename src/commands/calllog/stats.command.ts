import { dialects } from '../../contract/dialects.ts';
import { directions } from '../../contract/enums.ts';
import { statsGroups } from '../../features/call-stats/stats.rows.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import { parentsOption } from '../../runtime/parents-option.ts';
import { defineCommand } from '../../runtime/define.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogStatsOptions } from './stats.ts';
import { statsOutput } from './stats.rows.ts';

export const callLogStats = defineCommand<CallLogStatsOptions>({
  path: ['calllog', 'stats'],
  summary: 'Count calls by hour, day, queue, agent and result',
  description:
    'Counts each session as one call; if a queue took part, the record of the queue determines the result. ' +
    'The service level is the share of queue calls that were answered within the limit; calls that the caller ended sooner do not count. ' +
    'Without --since, ucctl counts the last day.',
  details:
    'Talk time starts with the answered leg, because the log has no exact answer time. ' +
    'Missed rings count every time a queue rang the phone of an agent without an answer, even if one call rang it twice. ' +
    'ucctl reads the whole call log of the time range, and of an hour before and after it, with 1,000 calls per request and 10 requests per minute. With --local, it reads the local call database instead.',
  options: {
    extension: extensionOption,
    ...windowOptions,
    direction: {
      type: 'list',
      value: 'DIRECTION',
      choices: directions,
      summary: 'Count only inbound or only outbound calls',
    },
    type: {
      type: 'list',
      value: 'TYPE,...',
      offered: { spec: dialects.spec.callTypes, current: dialects.current.callTypes },
      summary: 'Call types to count; default: Voice',
    },
    within: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 3600,
      default: 20,
      summary: 'Time limit for the service level',
    },
    by: {
      type: 'string',
      value: 'GROUP',
      choices: statsGroups,
      summary:
        'List one row for each hour, day, queue, agent, result or call; without --by, CSV and TSV have one row with the totals',
    },
    local: {
      type: 'boolean',
      summary: 'Count calls in the local call database (ucctl calllog sync) without sending requests',
    },
    ...copyOptions,
    database: { ...copyOptions.database, requires: 'local' },
    report: {
      type: 'string',
      value: 'FILE',
      summary: 'File for a self-contained HTML page with charts',
      writes: 'report.html',
    },
    parents: { ...parentsOption, requires: 'report' },
  },
  examples: [
    { comment: 'Show charts for the last seven days', command: 'ucctl calllog stats --since 7d' },
    {
      comment: 'Write an HTML report for the last 30 days',
      command: 'ucctl calllog stats --since 30d --tz Europe/Paris --report month.html',
    },
    {
      comment: 'Count two years of calls from the local call database',
      command: 'ucctl calllog stats --local --since 730d',
    },
    {
      comment: 'Write daily call counts as CSV for a spreadsheet',
      command: 'ucctl calllog stats --since 30d --by day -o csv',
    },
  ],
  permissions: ['ReadCallLog', 'ReadAccounts'],
  rateGroup: 'Heavy',
  output: statsOutput,
  exitCodes: {
    3: 'no calls have been copied yet (--local)',
    5: 'calls of the whole account require an administrator; use --extension ~ for your own calls',
  },
  load: () => import('./stats.ts').then((m) => m.callStats),
});
