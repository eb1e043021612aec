import { defineCommand } from '../../runtime/define.ts';
import type { FaxStatusOptions } from './status.ts';
import { waitOptions } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxStatus = defineCommand<FaxStatusOptions>({
  path: ['fax', 'status'],
  summary: 'Show what became of a fax, and why for each receiver',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the fax' },
    ...waitOptions,
  },
  examples: [{ comment: 'Until it is sent or has failed', command: 'ucctl fax status 4711 --wait' }],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: record(messageRows),
  exitCodes: {
    3: 'there is no such fax',
    8: 'with --wait: only some receivers got it',
    13: 'with --wait: not sent, or not in time',
  },
  load: () => import('./status.ts').then((m) => m.showFax),
});
