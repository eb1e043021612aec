import { defineCommand } from '../../runtime/define.ts';
import { dedupeKeyOption, forceNumberOption } from '../../runtime/outgoing-options.ts';
import { bulkOptions } from '../../runtime/bulk-options.ts';
import type { SmsSendOptions } from './send.ts';
import { textOutput } from './text.rows.ts';

const { maxItems: _, ...listOptions } = bulkOptions;

export const smsSend = defineCommand<SmsSendOptions>({
  path: ['sms', 'send'],
  summary: 'Send a text message',
  description:
    'Sends a text, optionally with files (--attach) or to a group (--group), or a text for each row of a list (--file with --template). ' +
    'Asks for confirmation before sending, and stores the --from number in the profile. ' +
    'A text can have up to 1000 UTF-16 code units; an emoji counts as 2 or more.',
  details:
    'If the service sends no reply, the command exits with 14, and ucctl never resends the text automatically. Some carriers do not report delivery. ' +
    'The service discards a text to a Disabled or Frozen extension without an error; the text remains only in your outbox.\n\n' +
    'A group has at most 10 recipients and needs --dialect current. Policy limits count every recipient.\n\n' +
    'A list is a CSV file or a sheet of an .xlsx workbook. If a row is invalid, the command sends nothing and exits with 2. With --skip-invalid, the command skips such rows and exits with 8. ' +
    'With --high-volume, up to 100 texts share a request, and ucctl sms batch shows the status of each text. ' +
    'After an interrupted run, the command does not send the list again: it exits with 11 and names the run to resume.\n\n' +
    'Without --dedupe-key, a warning shows that the same text was sent to the same numbers in the last 10 minutes; the command sends the text again.',
  options: {
    to: { type: 'list', value: 'NUMBER', summary: 'Recipient, in any common notation; several with --group' },
    group: {
      type: 'boolean',
      summary: 'Send one text to all recipients as a group conversation',
    },
    from: {
      type: 'string',
      value: 'NUMBER',
      summary:
        'One of your numbers that can send texts (ucctl sms numbers); required if several of your numbers can send texts',
    },
    text: {
      type: 'string',
      positional: true,
      value: 'TEXT',
      summary: 'Text to send; - for standard input',
      conflicts: ['file'],
    },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      summary: 'Read the text, or with --template the list, from a file; - for standard input',
    },
    attach: {
      type: 'list',
      commas: false,
      value: 'FILE',
      summary: 'File to send with the text (MMS), up to 10 files and 1.5 MB in total; makes TEXT optional',
    },
    template: {
      type: 'string',
      value: 'TEXT',
      summary:
        'Text for each row of the list in --file, which requires a "to" column; {{name}} inserts the value of the "name" column',
      conflicts: ['to', 'text', 'wait', 'group', 'attach'],
    },
    ...listOptions,
    highVolume: {
      type: 'boolean',
      summary:
        'Send the list in batches from a number for high-volume texts (A2PSmsSender); needs the permission A2PSMS',
      conflicts: ['to', 'text', 'wait', 'group', 'attach', 'dedupeKey'],
    },
    newRun: {
      type: 'boolean',
      summary: 'Abandon any open run and send the whole list again, including texts with unknown outcomes',
      conflicts: ['resume'],
    },
    wait: { type: 'boolean', summary: 'Block until the text is delivered or has failed' },
    waitTimeout: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 86_400,
      requires: 'wait',
      summary: 'Maximum duration of --wait (default: --timeout if given, otherwise 60s)',
    },
    dedupeKey: dedupeKeyOption,
    forceNumber: forceNumberOption,
  },
  examples: [
    {
      comment: 'Ask for confirmation, then send',
      command: 'ucctl sms send --to +15551234567 "Your parcel is here"',
    },
    {
      comment: 'Send a picture',
      command: 'ucctl sms send --to +15551234567 --attach map.png "How to find us"',
    },
    {
      comment: 'Send texts to a list and write the result of each row',
      command: 'ucctl sms send --file list.csv --template "Hello {{name}}" --results done.csv',
    },
    {
      comment: 'Send a text from a script',
      command: 'date | ucctl sms send --to +15551234567 -f - --yes -o json',
    },
  ],
  permissions: ['SMS', 'ReadAccounts'],
  rateGroup: 'Medium',
  mutates: true,
  effect: 'sends',
  output: textOutput,
  exitCodes: {
    8: 'some texts of the list were not sent, ucctl skipped rows (--skip-invalid), or only some recipients received the text (--group)',
    11: 'an earlier text used the same --dedupe-key, an open run contains some of the texts (--resume, --new-run), another user started the run, or the outcome was resolved while the request waited',
    13: 'the service did not send or deliver the text, or no delivery report arrived before the --wait timeout',
    14: 'no reply: the service may have sent the text',
  },
  load: () => import('./send.ts').then((m) => m.sendSms),
});
