import { defineCommand } from '../../runtime/define.ts';
import type { SyncEraseOptions } from './erase.ts';
import { copyOptions } from '../../runtime/copy-options.ts';

export const syncErase = defineCommand<SyncEraseOptions>({
  path: ['sync', 'erase'],
  summary: 'Forget a number: remove its messages from the copy for good',
  description:
    'Removes every copied message from or to the number, with older versions, full text and attachments, and every call record with it, and overwrites their place in the file. ' +
    'Later syncs do not copy them again. The service keeps what it has, and files that were exported earlier are named, not changed.',
  options: {
    number: { type: 'string', required: true, value: 'NUMBER', summary: 'The number, E.164' },
    ...copyOptions,
  },
  examples: [
    { comment: 'What would go', command: 'ucctl sync erase --number +15555550100 --dry-run' },
    { comment: 'Without a question', command: 'ucctl sync erase --number +15555550100 --yes' },
  ],
  mutates: true,
  jsonFields: [
    'number',
    'erased',
    'messages',
    'versions',
    'attachments',
    'first',
    'last',
    'exports',
    'calls',
  ],
  exitCodes: { 3: 'nothing is copied yet', 9: 'a confirmation is needed' },
  load: () => import('./erase.ts').then((m) => m.eraseFromCopy),
});
