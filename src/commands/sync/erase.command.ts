import { defineCommand } from '../../runtime/define.ts';
import type { SyncEraseOptions } from './erase.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import { record } from '../../runtime/output-schema.ts';
import { erasedRows } from './erase.rows.ts';

export const syncErase = defineCommand<SyncEraseOptions>({
  path: ['sync', 'erase'],
  summary: 'Erase all messages and calls with a number from the local mailbox copy',
  description:
    'Removes every copied message from or to the number, including older versions, attachments and entries of the search index, and every call record with the number. ' +
    'ucctl overwrites the erased data in the file, and later syncs do not copy it again. ' +
    'The data on the service and earlier exports do not change, but ucctl lists these exports.',
  options: {
    phone: { type: 'string', required: true, value: 'NUMBER', summary: 'Number to erase' },
    ...copyOptions,
  },
  examples: [
    {
      comment: 'Show the data that the command would erase',
      command: 'ucctl sync erase --phone +15555550100 --dry-run',
    },
    {
      comment: 'Erase without asking for confirmation',
      command: 'ucctl sync erase --phone +15555550100 --yes',
    },
  ],
  mutates: true,
  dryRunPrints: 'output',
  effect: 'deletes',
  output: record(erasedRows),
  exitCodes: {
    3: 'no local mailbox copy',
    9: 'confirmation is required, or a legal hold retains data of the number',
    12: 'another program reads the local mailbox copy, so that it still contains the data',
  },
  load: () => import('./erase.ts').then((m) => m.eraseFromCopy),
});
