import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncRetryOptions } from './retry.ts';

export const syncRetry = defineCommand<SyncRetryOptions>({
  path: ['sync', 'retry'],
  summary: 'Ask again for records that could not be copied',
  options: {
    onDelete: {
      type: 'string',
      choices: ['keep', 'mark', 'purge'],
      default: 'mark',
      value: 'POLICY',
      summary: 'What happens to the copy of what the service deleted, as in sync',
    },
    ...copyOptions,
  },
  examples: [{ comment: 'Whatever sync status counts as errors', command: 'ucctl sync retry' }],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  jsonFields: ['extensionId', 'messageId', 'problem', 'outcome'],
  exitCodes: { 3: 'nothing is copied yet', 8: 'some still could not be copied' },
  load: () => import('./retry.ts').then((m) => m.retrySync),
});
