import { dialects } from '../../contract/dialects.ts';
import { defineCommand } from '../../runtime/define.ts';
import {
  directionOption,
  listOptions,
  mailboxOption,
  phoneOption,
  unreadOption,
} from '../../runtime/mailbox-options.ts';
import { windowOptions } from '../../runtime/window-options.ts';
import type { MessageListOptions } from './list.ts';
import { availabilityOption } from './options.command.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const messageList = defineCommand<MessageListOptions>({
  path: ['message', 'list'],
  summary: 'List messages of a period (default: the last day), newest first',
  options: {
    ...windowOptions,
    type: {
      type: 'list',
      choices: ['SMS', 'Fax', 'VoiceMail', 'Pager', 'Text'],
      offered: { spec: dialects.spec.messageTypes, current: dialects.current.messageTypes },
      value: 'TYPE',
      summary: 'Show only messages of these types; Text only in dialect spec',
    },
    availability: availabilityOption,
    direction: directionOption,
    read: { type: 'boolean', summary: 'Show only read messages', conflicts: ['unread'] },
    unread: unreadOption,
    conversation: { type: 'list', value: 'ID', summary: 'Show only messages in these conversations' },
    distinct: { type: 'boolean', summary: 'Show only the newest message in each conversation' },
    phone: phoneOption,
    extension: mailboxOption,
    ...listOptions,
  },
  examples: [
    {
      comment: 'List unread voicemails and faxes of the last seven days',
      command: 'ucctl message list --type VoiceMail,Fax --unread --since 7d',
    },
    { comment: 'List deleted messages', command: 'ucctl message list --availability Deleted --since 5d' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listMessages),
});
