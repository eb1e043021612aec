import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { HoldOptions } from './hold.ts';
import { holdRows } from './retention.rows.ts';

export const storeHold = defineCommand<HoldOptions>({
  path: ['store', 'hold'],
  summary: 'Show, add or release legal holds',
  description:
    'A legal hold keeps all data of a mailbox or a phone number in the archive. Neither retention rules, sync erase nor ' +
    'sync --on-delete purge delete it.',
  details: 'Each change adds a line to the audit log, which contains no phone numbers.',
  options: {
    add: {
      type: 'list',
      value: 'WHAT,...',
      summary:
        'Mailboxes (extension numbers or ids of the archive) and phone numbers (E.164) to hold; needs --reason',
    },
    release: { type: 'list', value: 'WHAT,...', summary: 'Mailboxes and phone numbers to release' },
    reason: {
      type: 'string',
      value: 'TEXT',
      summary: 'Why the data must stay, such as the number of a court case',
    },
  },
  examples: [
    { comment: 'Show the holds', command: 'ucctl store hold' },
    {
      comment: 'Keep everything of one mailbox and one number',
      command: 'ucctl store hold --add 101,+15555550100 --reason "case 2026-17"',
    },
  ],
  output: list(holdRows),
  exitCodes: { 3: 'the archive has no such mailbox', 12: 'the store is not usable, or needs store migrate' },
  load: () => import('./hold.ts').then((m) => m.hold),
});
