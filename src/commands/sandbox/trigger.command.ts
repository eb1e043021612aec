import { defineCommand } from '../../runtime/define.ts';
import { anything, mapOf, record } from '../../runtime/output-schema.ts';
import type { SandboxTriggerOptions } from './trigger.ts';
import { notRunning, readyFileOption } from './options.command.ts';

const kinds = [
  'sms',
  'call',
  'voicemail',
  'fax',
  'pager',
  'message',
  'presence',
  'line',
  'extension',
  'reminder',
];

export const sandboxTrigger = defineCommand<SandboxTriggerOptions>({
  path: ['sandbox', 'trigger'],
  summary: 'Simulate an incoming text, call, voicemail, fax or event',
  options: {
    kind: {
      type: 'string',
      positional: true,
      required: true,
      offered: kinds,
      summary:
        'Kind of event: sms, call, voicemail, fax, pager, message, presence, line, extension or reminder',
    },
    detail: {
      type: 'list',
      positional: true,
      commas: false,
      value: 'NAME=VALUE',
      summary:
        'Event details such as to=102 and text=Hello; an unknown name causes an error that lists the valid names',
    },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'Receive a text', command: "ucctl sandbox trigger sms to=102 text='Are you there?'" },
    { comment: 'Receive a call', command: 'ucctl sandbox trigger call to=102 from=+14155550142' },
    {
      comment: "Set a user's presence to busy",
      command: 'ucctl sandbox trigger presence extension=102 userStatus=Busy',
    },
  ],
  output: record(mapOf(anything)),
  exitCodes: notRunning,
  load: () => import('./trigger.ts').then((m) => m.sandboxTriggerCommand),
});
