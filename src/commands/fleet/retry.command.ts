import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { changedRows } from './fleet.rows.ts';
import { selectionOptions } from './selection.command.ts';
import type { SelectionOptions } from './selection.ts';

export const fleetRetry = defineCommand<SelectionOptions>({
  path: ['fleet', 'retry'],
  summary: 'Retry failed tasks, or run all tasks of selected mailboxes now',
  description:
    'Without --extension, failed tasks and tasks that wait for a retry become due now. With --extension, all tasks of the specified mailboxes become due now.',
  options: selectionOptions,
  examples: [
    { comment: 'Retry failed tasks, for example after a permission was added', command: 'ucctl fleet retry' },
    { comment: 'Copy two mailboxes now', command: 'ucctl fleet retry --extension 101,102' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(changedRows),
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./change-tasks.ts').then((m) => m.retry),
});
