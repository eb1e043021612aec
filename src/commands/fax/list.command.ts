import { defineCommand } from '../../runtime/define.ts';
import { mailboxListOptions, type MailboxListOptions } from '../../runtime/mailbox-options.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const faxList = defineCommand<MailboxListOptions>({
  path: ['fax', 'list'],
  summary: 'List the faxes of a period (default: the last day), newest first',
  options: mailboxListOptions,
  examples: [
    {
      comment: 'List faxes sent in the last 7 days',
      command: 'ucctl fax list --direction Outbound --since 7d',
    },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listFaxes),
});
