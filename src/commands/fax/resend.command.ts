import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption } from '../../runtime/outgoing-options.ts';
import type { FaxResendOptions } from './resend.ts';
import { waitOptions } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxResend = defineCommand<FaxResendOptions>({
  path: ['fax', 'resend'],
  summary: 'Send an earlier fax again, or a received one on to others',
  description: 'A fax that is still queued cannot be sent again. A received fax needs --to.',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of the earlier fax' },
    to: { type: 'list', value: 'NUMBER', summary: 'Receivers; those of the earlier fax unless given' },
    ...waitOptions,
    dedupeKey: dedupeKeyOption,
  },
  examples: [{ comment: 'Again to the same number', command: 'ucctl fax resend 4711' }],
  permissions: ['Faxes'],
  rateGroup: 'Heavy',
  mutates: true,
  output: record(messageRows),
  exitCodes: {
    3: 'there is no such fax',
    8: 'with --wait: only some receivers got it',
    11: 'the dedupe key was used already',
    13: 'with --wait: not sent, or not in time',
    14: 'no answer came: the fax may have been sent',
  },
  load: () => import('./resend.ts').then((m) => m.resendFax),
});
