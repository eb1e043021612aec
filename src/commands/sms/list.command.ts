import { defineCommand } from '../../runtime/define.ts';
import {
  directionOption,
  listOptions,
  mailboxOption,
  phoneOption,
  unreadOption,
} from '../../runtime/mailbox-options.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { SmsListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const smsList = defineCommand<SmsListOptions>({
  path: ['sms', 'list'],
  summary: 'List the texts of a period (default: the last day), newest first',
  options: {
    ...windowOptions,
    phone: phoneOption,
    direction: directionOption,
    unread: unreadOption,
    ...listOptions,
    extension: mailboxOption,
  },
  examples: [
    { comment: 'List unread texts of the last 7 days', command: 'ucctl sms list --since 7d --unread' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listSms),
});
