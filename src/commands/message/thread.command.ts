import { defineCommand } from '../../runtime/define.ts';
import { mailboxOption, threadSinceOption } from '../../runtime/mailbox-options.ts';
import type { MessageThreadOptions } from './thread.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const messageThread = defineCommand<MessageThreadOptions>({
  path: ['message', 'thread'],
  summary: 'Show the conversation of a text or pager message, oldest message first',
  options: {
    id: {
      type: 'string',
      positional: true,
      required: true,
      value: 'ID',
      summary: 'ID of a message in the conversation',
    },
    since: threadSinceOption,
    extension: mailboxOption,
  },
  examples: [
    { comment: 'Show the conversation that contains a message', command: 'ucctl message thread 4711' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  exitCodes: { 3: 'message not found' },
  watch: true,
  load: () => import('./thread.ts').then((m) => m.showThread),
});
