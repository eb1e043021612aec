import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, forceNumberOption, sendConflict } from '../../runtime/outgoing-options.ts';
import type { FaxResendOptions } from './resend.ts';
import { waitOptions } from './options.command.ts';
import { record } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxResend = defineCommand<FaxResendOptions>({
  path: ['fax', 'resend'],
  summary: 'Resend an earlier fax, or forward a received fax',
  description: 'You cannot resend a queued fax. To forward a received fax, use --to.',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'ID of the earlier fax' },
    to: { type: 'list', value: 'NUMBER', summary: 'Recipients (default: the recipients of the earlier fax)' },
    ...waitOptions,
    forceNumber: forceNumberOption,
    dedupeKey: dedupeKeyOption,
  },
  examples: [{ comment: 'Resend a fax to the same number', command: 'ucctl fax resend 4711' }],
  permissions: ['Faxes'],
  rateGroup: 'Heavy',
  mutates: true,
  effect: 'sends',
  output: record(messageRows),
  exitCodes: {
    3: 'fax not found',
    8: 'only some recipients received the fax',
    11: sendConflict,
    13: 'the fax failed, or the service did not send it in time (--wait)',
    14: 'no reply: the service may have sent the fax',
  },
  load: () => import('./resend.ts').then((m) => m.resendFax),
});
