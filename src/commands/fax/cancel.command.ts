import { defineCommand } from '../../runtime/define.ts';
import type { FaxCancelOptions } from './cancel.ts';
import { record } from '../../runtime/output-schema.ts';
import { changedRows } from '../../features/mailbox/changed.rows.ts';

export const faxCancel = defineCommand<FaxCancelOptions>({
  path: ['fax', 'cancel'],
  summary: 'Cancel a fax that is still queued, such as a scheduled one',
  description:
    'The fax is deleted, which keeps it from being sent; ucctl message restore ID brings it back, and it is sent after all.',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the fax' },
  },
  examples: [{ comment: 'By its id', command: 'ucctl fax cancel 4711' }],
  permissions: ['ReadMessages', 'EditMessages'],
  rateGroup: 'Medium',
  mutates: true,
  output: record(changedRows),
  exitCodes: { 3: 'there is no such fax', 11: 'it is not queued any more', 14: 'no answer came' },
  load: () => import('./cancel.ts').then((m) => m.cancelFax),
});
