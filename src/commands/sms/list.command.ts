import { defineCommand } from '../../runtime/define.ts';
import { mailboxListOptions, type MailboxListOptions } from '../../runtime/mailbox-options.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const smsList = defineCommand<MailboxListOptions>({
  path: ['sms', 'list'],
  summary: 'List the texts of a period (default: the last day), newest first',
  options: mailboxListOptions,
  examples: [
    { comment: 'List unread texts of the last 7 days', command: 'ucctl sms list --since 7d --unread' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listSms),
});
