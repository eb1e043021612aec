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
    'Sends one text, also with files (--attach) or to a group (--group), or with --template a text for each row of a list, after asking for confirmation. A text may have 1000 UTF-16 code units; ' +
    'an emoji counts as 2 or more. The profile remembers the number of --from.',
  details:
    'If the service does not respond, the text is never sent again automatically: the command exits with 14. Some carriers do not report delivery. ' +
    'A text to a Disabled or Frozen extension is discarded without an error and exists in your outbox only.\n\n' +
    'A group has at most 10 recipients and needs --dialect current. Limits of the policy count every recipient.\n\n' +
    'A list is CSV or a sheet of an .xlsx workbook. If a row of it is invalid, nothing is sent and the command exits with 2; with --skip-invalid such rows are skipped, and the command exits with 8. ' +
    'A list whose run was interrupted is not sent again: the command exits with 11 and names the run to resume.',
  options: {
    to: { type: 'list', value: 'NUMBER', summary: 'Recipient, in any common notation; several with --group' },
    group: {
      type: 'boolean',
      summary: 'Send one text to all recipients, who see each other and share one conversation',
    },
    from: {
      type: 'string',
      value: 'NUMBER',
      summary: 'Sender, one of your numbers (ucctl sms numbers); required if several can send texts',
    },
    text: { type: 'string', positional: true, value: 'TEXT', summary: 'Text to send', conflicts: ['file'] },
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
      summary: 'File to send with the text (MMS), up to 10 files of 1.5 MB together; TEXT is then optional',
    },
    template: {
      type: 'string',
      value: 'TEXT',
      summary:
        'Text for each row of the list in --file, which needs a column "to"; {{name}} inserts the column "name"',
      conflicts: ['to', 'text', 'wait', 'group', 'attach'],
    },
    ...listOptions,
    newRun: {
      type: 'boolean',
      summary:
        'Send the whole list again, including texts with unknown outcomes and texts of an open run, which is abandoned',
      conflicts: ['resume'],
    },
    wait: { type: 'boolean', summary: 'Exit only when the text is delivered or has failed' },
    waitTimeout: {
      type: 'duration',
      value: 'TIME',
      minSeconds: 1,
      maxSeconds: 86_400,
      summary: 'Maximum time for --wait (default: --timeout if given, otherwise 60s)',
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
      comment: 'Send to a list and write the result of each row',
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
    8: 'some texts of a list were not sent, or rows were skipped (--skip-invalid)',
    11: 'the dedupe key was already used, or an earlier run contains some of the texts (--resume, --new-run)',
    13: 'with --wait: not delivered, or no delivery report in time',
    14: 'no response: the text may have been sent',
  },
  load: () => import('./send.ts').then((m) => m.sendSms),
});
