import { defineCommand } from '../../runtime/define.ts';
import type { SmsSendOptions } from './send.ts';

export const smsSend = defineCommand<SmsSendOptions>({
  path: ['sms', 'send'],
  summary: 'Send a text message',
  description:
    'Sends one text from one number to one number, and asks before it does. The text may have 1000 UTF-16 code units; an emoji counts 2 or more. ' +
    'A text whose answer is lost is never sent again by itself: the command then ends with exit code 14.',
  options: {
    to: { type: 'string', required: true, value: 'NUMBER', summary: 'Receiver, as +15551234567' },
    from: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Your number to send from; needed when several can (ucctl sms numbers)',
    },
    text: { type: 'string', positional: true, value: 'TEXT', summary: 'The text', conflicts: ['file'] },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      summary: 'Read the text from a file; - for standard input',
    },
    dedupeKey: {
      type: 'string',
      value: 'KEY',
      summary: 'Refuse to send again under the same key within 24 hours',
    },
  },
  examples: [
    { comment: 'Asks before sending', command: 'ucctl sms send --to +15551234567 "Your parcel is here"' },
    { comment: 'From a script', command: 'date | ucctl sms send --to +15551234567 -f - --yes -o json' },
  ],
  permissions: ['SMS', 'ReadAccounts'],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: [
    'id',
    'to',
    'from',
    'type',
    'subject',
    'messageStatus',
    'direction',
    'creationTime',
    'conversationId',
    'uri',
  ],
  exitCodes: { 11: 'the dedupe key was used already', 14: 'no answer came: the text may have been sent' },
  load: () => import('./send.ts').then((m) => m.sendSms),
});
