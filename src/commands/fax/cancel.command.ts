import { defineCommand } from '../../runtime/define.ts';
import type { FaxCancelOptions } from './cancel.ts';
import { record } from '../../runtime/output-schema.ts';
import { changedRows } from '../../features/mailbox/changed.rows.ts';

export const faxCancel = defineCommand<FaxCancelOptions>({
  path: ['fax', 'cancel'],
  summary: 'Cancel a queued fax, such as a scheduled fax',
  description:
    'Deletes the queued fax, so the service does not send it. `ucctl message restore ID` restores and sends the fax.',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'ID of the fax' },
  },
  examples: [{ comment: 'Cancel a scheduled fax', command: 'ucctl fax cancel 4711' }],
  permissions: ['ReadMessages', 'EditMessages'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(changedRows),
  exitCodes: {
    3: 'fax not found',
    11: 'the fax is no longer queued, or the service sent it before the deletion',
    14: 'no reply: the service may have canceled the fax',
  },
  load: () => import('./cancel.ts').then((m) => m.cancelFax),
});
