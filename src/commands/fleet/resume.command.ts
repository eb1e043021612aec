import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { changedRows } from './fleet.rows.ts';
import { selectionOptions } from './selection.command.ts';
import type { SelectionOptions } from './selection.ts';

export const fleetResume = defineCommand<SelectionOptions>({
  path: ['fleet', 'resume'],
  summary: 'Resume paused tasks',
  description: 'Workers immediately claim tasks that became due during the pause.',
  options: selectionOptions,
  examples: [
    { comment: 'Resume everything', command: 'ucctl fleet resume' },
    { comment: 'Resume the downloads of attachments', command: 'ucctl fleet resume --tasks media' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(changedRows),
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./change-tasks.ts').then((m) => m.resume),
});
