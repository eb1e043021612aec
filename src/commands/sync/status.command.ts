import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import type { SyncStatusOptions } from './status.ts';

export const syncStatus = defineCommand<SyncStatusOptions>({
  path: ['sync', 'status'],
  summary: 'Show what is copied and how far behind it is',
  options: { ...copyOptions },
  examples: [
    { comment: 'Lag in seconds, for a monitor', command: 'ucctl sync status --json=mailbox,lagSeconds' },
  ],
  jsonFields: [
    'mailbox',
    'extensionId',
    'type',
    'direction',
    'dateFrom',
    'messages',
    'gone',
    'errors',
    'syncTime',
    'lagSeconds',
    'fullSyncTime',
  ],
  exitCodes: { 3: 'nothing is copied yet' },
  watch: true,
  load: () => import('./status.ts').then((m) => m.showSyncStatus),
});
