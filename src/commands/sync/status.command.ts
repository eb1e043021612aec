import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncStatusOptions } from './status.ts';
import { list } from '../../runtime/output-schema.ts';
import { statusRows } from './status.rows.ts';

export const syncStatus = defineCommand<SyncStatusOptions>({
  path: ['sync', 'status'],
  summary: 'Show the state of the local mailbox copy',
  description:
    'Shows each copied mailbox, and the copied call log as a row with the type Calls. Sends no requests.',
  options: { ...copyOptions },
  examples: [
    {
      comment: 'Print the lag in seconds for monitoring',
      command: 'ucctl sync status --json=mailbox,lagSeconds',
    },
  ],
  output: list(statusRows),
  exitCodes: { 3: 'no local mailbox copy' },
  watch: true,
  load: () => import('./status.ts').then((m) => m.showSyncStatus),
});
