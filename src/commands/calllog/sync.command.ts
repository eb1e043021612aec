import { copyOptions } from '../../runtime/copy-options.ts';
import { defineCommand } from '../../runtime/define.ts';
import { extensionOption } from './fields.command.ts';
import type { CallLogSyncOptions } from './sync.ts';
import { record } from '../../runtime/output-schema.ts';
import { syncRows } from './sync.rows.ts';

export const callLogSync = defineCommand<CallLogSyncOptions>({
  path: ['calllog', 'sync'],
  summary: 'Copy the call log into the local call database',
  description:
    'The first run copies all calls that the service stores; later runs copy new calls and reread the last day, because call legs can arrive late. ' +
    'An interrupted run resumes where it stopped. Calls that the service deletes stay in the local call database, so ucctl calllog stats --local can cover years.',
  details:
    'The local call database is in the same file as the local mailbox copy of ucctl sync. ucctl sync sql queries the calls in the view v_call. ' +
    'For your own calls, later runs request changed calls only if the service supports it (dialect current). ' +
    'The service allows 1,000 calls per request and 10 requests per minute.',
  options: {
    extension: {
      ...extensionOption,
      summary: 'Calls to copy: ~ for only your own calls; default: the calls of the whole account',
    },
    since: {
      type: 'string',
      value: 'TIME',
      summary:
        'Oldest call to copy: a date, an ISO 8601 time, or an age such as 30d; to add older calls later, specify an earlier date',
    },
    overlap: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 60,
      maxSeconds: 30 * 86_400,
      default: 86_400,
      summary: 'Time before the last sync for which ucctl reads the calls again',
    },
    full: { type: 'boolean', summary: 'Read all calls again from the beginning' },
    ...copyOptions,
  },
  examples: [
    { comment: 'Copy new calls, e.g. every day from a timer', command: 'ucctl calllog sync' },
    { comment: 'Copy your own calls', command: 'ucctl calllog sync --extension ~' },
    {
      comment: 'Count calls per day in the local call database',
      command:
        'ucctl sync sql "select date(start_time) day, count(distinct session_id) calls from v_call group by day"',
    },
  ],
  permissions: ['ReadCallLog', 'ReadAccounts'],
  rateGroup: 'Heavy',
  output: record(syncRows),
  exitCodes: {
    5: 'calls of the whole account require an administrator; use --extension ~ for your own calls',
    11: 'another sync is using the local call database, or the database belongs to another user',
    12: 'the disk is full, or ucctl cannot use the database',
  },
  load: () => import('./sync.ts').then((m) => m.syncCallLog),
});
