import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { HoldOptions } from './hold.ts';
import { holdRows } from './retention.rows.ts';

export const storeHold = defineCommand<HoldOptions>({
  path: ['store', 'hold'],
  summary: 'Show, add or release legal holds',
  description:
    'A legal hold retains all data of a mailbox or a phone number in the archive: retention rules, sync erase and sync --on-delete purge do not delete the data.',
  details: 'Each change adds a line to the audit log, which contains no phone numbers.',
  options: {
    add: {
      type: 'list',
      value: 'WHAT,...',
      summary:
        'Mailboxes (extension numbers, or IDs in the archive) and phone numbers to hold; requires --reason',
    },
    release: { type: 'list', value: 'WHAT,...', summary: 'Mailboxes and phone numbers to release' },
    reason: {
      type: 'string',
      value: 'TEXT',
      requires: 'add',
      summary: 'Text that explains the hold, such as the number of a court case',
    },
  },
  examples: [
    { comment: 'Show the holds', command: 'ucctl store hold' },
    {
      comment: 'Retain all data of one mailbox and one number',
      command: 'ucctl store hold --add 101,+15555550100 --reason "case 2026-17"',
    },
  ],
  output: list(holdRows),
  exitCodes: {
    3: 'mailbox not found in the archive',
    12: 'ucctl cannot use the store, or the store needs a migration (ucctl store migrate)',
  },
  load: () => import('./hold.ts').then((m) => m.hold),
});
