import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption } from '../../runtime/outgoing-options.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import type { SmsSendOptions } from './send.ts';
import { textOutput } from './text.rows.ts';

const { maxItems: _, ...listOptions } = bulkOptions;

export const smsSend = defineCommand<SmsSendOptions>({
  path: ['sms', 'send'],
  summary: 'Send a text message',
  description:
    'Sends one text from one number to one number, and asks before it does. The text may have 1000 UTF-16 code units; an emoji counts 2 or more. ' +
    'A text whose answer is lost is never sent again by itself: the command then ends with exit code 14. Some carriers report no delivery, and a ' +
    'text to a Disabled or Frozen extension is dropped without a word and stays in your outbox only. The number of --from is remembered by the profile. ' +
    'A list whose run was interrupted is not sent again: the command then ends with exit code 11 and names the run to resume.',
  options: {
    to: { type: 'string', value: 'NUMBER', summary: 'Receiver, as people write it' },
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
      summary: 'Read the text, or with --template the list, from a file; - for standard input',
    },
    template: {
      type: 'string',
      value: 'TEXT',
      summary:
        'Send many: --file is then a CSV list with a column to, and {{name}} stands for its column name',
      conflicts: ['to', 'text', 'wait'],
    },
    ...listOptions,
    newRun: {
      type: 'boolean',
      summary:
        'Send the list from the start although an open run, or one with unknown outcomes, has some of its texts; an open run is abandoned',
      conflicts: ['resume'],
    },
    wait: { type: 'boolean', summary: 'Wait until the text is delivered or has failed' },
    waitTimeout: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 86_400,
      summary: 'Longest wait with --wait; unless given --timeout, else 60s',
    },
    dedupeKey: dedupeKeyOption,
  },
  examples: [
    { comment: 'Asks before sending', command: 'ucctl sms send --to +15551234567 "Your parcel is here"' },
    {
      comment: 'Many, each once, with what became of each',
      command: 'ucctl sms send --file list.csv --template "Hello {{name}}" --results done.csv',
    },
    { comment: 'From a script', command: 'date | ucctl sms send --to +15551234567 -f - --yes -o json' },
  ],
  permissions: ['SMS', 'ReadAccounts'],
  rateGroup: 'Medium',
  mutates: true,
  output: textOutput,
  exitCodes: {
    11: 'the dedupe key was used already, or texts of the list are in an open run or their outcome is unknown (--resume, --new-run)',
    13: 'with --wait: not delivered, or no report in time',
    14: 'no answer came: the text may have been sent',
  },
  load: () => import('./send.ts').then((m) => m.sendSms),
});
