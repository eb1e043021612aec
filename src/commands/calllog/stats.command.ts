import { directions } from '../../contract/enums.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogStatsOptions } from './stats.ts';
import { statsOutput } from './stats.rows.ts';

export const callLogStats = defineCommand<CallLogStatsOptions>({
  path: ['calllog', 'stats'],
  summary: 'Count calls by hour, day, queue, agent and result',
  description:
    'A call is a session, whoever took part in it; where a queue did, its record says what became of the call. Talk time begins where the leg begins ' +
    'that was answered: the log tells no more. Service level: answered within the limit, of all queue calls but those that gave up sooner. ' +
    'Without --since the last day is counted. Everything is read from the log, 1,000 calls in a request, 10 requests a minute; with --local from the copy.',
  options: {
    extension: extensionOption,
    ...windowOptions,
    direction: { type: 'list', value: 'DIRECTION', choices: directions, summary: 'Inbound or Outbound' },
    type: { type: 'list', value: 'TYPE,...', summary: 'Voice; Fax, or what else the service knows' },
    within: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 3600,
      default: 20,
      summary: 'Limit of the service level; 20s',
    },
    local: {
      type: 'boolean',
      summary: 'Count what ucctl calllog sync copied, without the service',
    },
    ...copyOptions,
    report: {
      type: 'string',
      value: 'FILE',
      summary: 'Also write an HTML page with charts that needs nothing else',
    },
  },
  examples: [
    { comment: 'The last week, drawn', command: 'ucctl calllog stats --since 7d' },
    {
      comment: 'A month as a page to pass on',
      command: 'ucctl calllog stats --since 30d --tz Europe/Paris --report month.html',
    },
    { comment: 'Two years from the copy', command: 'ucctl calllog stats --local --since 730d' },
    { comment: 'For a spreadsheet', command: 'ucctl calllog stats --since 30d -o csv' },
  ],
  permissions: ['ReadCallLog', 'ReadAccounts'],
  rateGroup: 'Heavy',
  output: statsOutput,
  exitCodes: {
    3: 'with --local: nothing is copied yet',
    5: 'the account level needs an administrator; the own calls are --extension ~',
  },
  load: () => import('./stats.ts').then((m) => m.callStats),
});
