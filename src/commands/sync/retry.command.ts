import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncRetryOptions } from './retry.ts';
import { list } from '../../runtime/output-schema.ts';
import { retryRows } from './retry.rows.ts';

export const syncRetry = defineCommand<SyncRetryOptions>({
  path: ['sync', 'retry'],
  summary: 'Retry records that ucctl could not copy',
  options: {
    onDelete: {
      type: 'string',
      choices: ['keep', 'mark', 'purge'],
      value: 'POLICY',
      summary: 'Action for messages that were deleted on the service; default: the stored action',
    },
    ...copyOptions,
  },
  examples: [
    { comment: 'Retry all records that ucctl sync status counts as errors', command: 'ucctl sync retry' },
  ],
  permissions: ['ReadMessages'],
  currentPermissions: ['ReadMessages', 'ReadAccounts'],
  rateGroup: 'Light',
  output: list(retryRows),
  exitCodes: { 3: 'no local mailbox copy', 8: 'some records failed again' },
  load: () => import('./retry.ts').then((m) => m.retrySync),
});
