import { defineCommand } from '../../runtime/define.ts';
import { mailboxOption, threadSinceOption } from '../../runtime/mailbox-options.ts';
import type { SmsThreadOptions } from './thread.ts';
import { list } from '../../runtime/output-schema.ts';
import { messageRows } from '../../features/mailbox/message.rows.ts';

export const smsThread = defineCommand<SmsThreadOptions>({
  path: ['sms', 'thread'],
  summary: 'Show the texts exchanged with one number, oldest first',
  options: {
    number: {
      type: 'string',
      positional: true,
      required: true,
      value: 'NUMBER',
      summary: 'Number of the other party',
    },
    since: threadSinceOption,
    limit: {
      type: 'integer',
      short: 'L',
      value: 'N',
      min: 1,
      summary: 'Maximum number of newest texts to show',
    },
    extension: mailboxOption,
  },
  examples: [
    { comment: 'Show the conversation with a phone number', command: 'ucctl sms thread +15551234567' },
  ],
  permissions: ['ReadMessages'],
  rateGroup: 'Light',
  output: list(messageRows),
  watch: true,
  load: () => import('./thread.ts').then((m) => m.showSmsThread),
});
