import { copyOptions } from '../../runtime/copy-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogSyncOptions } from './sync.ts';
import { record } from '../../runtime/output-schema.ts';
import { syncRows } from './sync.rows.ts';

export const callLogSync = defineCommand<CallLogSyncOptions>({
  path: ['calllog', 'sync'],
  summary: 'Copy the call log into the database on this machine',
  description:
    'The same database as that of ucctl sync. Copies everything that the service keeps at first, what is new after that, and reads calls of the last day ' +
    'again, because their legs may come late. Pages go in one by one together with how far it is, so what was interrupted is carried on. Calls stay in the ' +
    'copy when the service drops them: ucctl calllog stats --local counts over years. The view v_call is described in docs/mirror.md. ' +
    '1,000 calls in a request, 10 requests a minute.',
  options: {
    extension: extensionOption,
    since: {
      type: 'string',
      value: 'TIME',
      summary: 'Only calls from then on: a date, ISO 8601, 30d; an earlier one later reads what was left out',
    },
    overlap: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 60,
      maxSeconds: 30 * 86_400,
      default: 86_400,
      summary: 'Calls that began so long before the last sync are read again; 24h',
    },
    full: { type: 'boolean', summary: 'Read everything again from the beginning' },
    ...copyOptions,
  },
  examples: [
    { comment: 'Every day from a timer', command: 'ucctl calllog sync' },
    { comment: 'Your own calls', command: 'ucctl calllog sync --extension ~' },
    {
      comment: 'Calls of a month by day, without the service',
      command:
        'ucctl sync sql "select date(start_time) day, count(distinct session_id) calls from v_call group by day"',
    },
  ],
  permissions: ['ReadCallLog', 'ReadAccounts'],
  rateGroup: 'Heavy',
  output: record(syncRows),
  exitCodes: {
    5: 'the account level needs an administrator; the own calls are --extension ~',
    11: 'another sync is at work on this copy, or it is of another user',
    12: 'no room, or the database cannot be used',
  },
  load: () => import('./sync.ts').then((m) => m.syncCallLog),
});
