import { defineCommand } from '../../runtime/define.ts';
import { directionOption, listOptions, mailboxOption, unreadOption } from '../../runtime/mailbox-options.ts';
import { messageFields } from '../../runtime/json-fields.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { SmsListOptions } from './list.ts';

export const smsList = defineCommand<SmsListOptions>({
  path: ['sms', 'list'],
  summary: 'List texts, newest first; those of the last day unless told otherwise',
  options: {
    ...windowOptions,
    phone: { type: 'string', value: 'NUMBER', summary: 'Only texts with this number' },
    direction: directionOption,
    unread: unreadOption,
    ...listOptions,
    extension: mailboxOption,
  },
  examples: [{ comment: 'Unread texts of a week', command: 'ucctl sms list --since 7d --unread' }],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  jsonFields: messageFields,
  watch: true,
  load: () => import('./list.ts').then((m) => m.listSms),
});
