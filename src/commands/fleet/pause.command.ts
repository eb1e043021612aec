import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import { changedRows } from './fleet.rows.ts';
import { selectionOptions } from './selection.command.ts';
import type { SelectionOptions } from './selection.ts';

export const fleetPause = defineCommand<SelectionOptions>({
  path: ['fleet', 'pause'],
  summary: 'Stop workers from claiming tasks until ucctl fleet resume',
  description: 'Running tasks finish normally. Workers keep running and claim other tasks.',
  options: selectionOptions,
  examples: [
    { comment: 'Pause all tasks, for example during maintenance', command: 'ucctl fleet pause' },
    { comment: 'Pause one mailbox', command: 'ucctl fleet pause --extension 101' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(changedRows),
  exitCodes: { 12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)' },
  load: () => import('./change-tasks.ts').then((m) => m.pause),
});
