import { defineCommand } from '../../runtime/define.ts';
import type { SandboxTriggerOptions } from './trigger.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxTrigger = defineCommand<SandboxTriggerOptions>({
  path: ['sandbox', 'trigger'],
  summary: 'Make something happen in a sandbox: a text, a call, a voicemail, a fax, an event',
  options: {
    kind: {
      type: 'string',
      positional: true,
      required: true,
      summary: 'sms, call, voicemail, fax, pager, presence, line, extension or reminder',
    },
    detail: {
      type: 'list',
      positional: true,
      commas: false,
      value: 'NAME=VALUE',
      summary: 'Who, what and to whom',
    },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'A text from outside', command: "ucctl sandbox trigger sms to=102 text='Are you there?'" },
    { comment: 'A call', command: 'ucctl sandbox trigger call to=102 from=+14155550142' },
    {
      comment: 'Someone becomes busy',
      command: 'ucctl sandbox trigger presence extension=102 userStatus=Busy',
    },
  ],
  jsonFields: [],
  exitCodes: notRunning,
  load: () => import('./trigger.ts').then((m) => m.sandboxTriggerCommand),
});
