import { defineCommand } from '../../runtime/define.ts';
import type { FaxStatusOptions } from './status.ts';
import { waitOptions } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxStatus = defineCommand<FaxStatusOptions>({
  path: ['fax', 'status'],
  summary: 'Show the status of a fax for each recipient, with the reason for a failure',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'ID of the fax' },
    ...waitOptions,
    wait: { ...waitOptions.wait, conflictsWithWatch: true },
  },
  examples: [
    { comment: 'Wait until the fax is sent or has failed', command: 'ucctl fax status 4711 --wait' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: record(messageRows),
  exitCodes: {
    3: 'fax not found',
    8: 'only some recipients received the fax (--wait)',
    13: 'the fax failed, or the service did not send it in time (--wait)',
  },
  watch: true,
  load: () => import('./status.ts').then((m) => m.showFax),
});
