import { defineCommand } from '../../runtime/define.ts';
import { mailboxOption, threadSinceOption } from '../../runtime/mailbox-options.ts';
import type { MessageThreadOptions } from './thread.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const messageThread = defineCommand<MessageThreadOptions>({
  path: ['message', 'thread'],
  summary: 'Show the conversation that a text or page belongs to, oldest first',
  options: {
    id: { type: 'string', positional: true, required: true, value: 'ID', summary: 'Id of a message of it' },
    since: threadSinceOption,
    extension: mailboxOption,
  },
  examples: [{ comment: 'All pages around one', command: 'ucctl message thread 4711' }],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  exitCodes: { 3: 'there is no such message' },
  watch: true,
  load: () => import('./thread.ts').then((m) => m.showThread),
});
