import { defineCommand } from '../../runtime/define.ts';
import type { SandboxPhoneOptions } from './phone.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxPhone = defineCommand<SandboxPhoneOptions>({
  path: ['sandbox', 'phone'],
  summary: 'Answer a ringing phone in a sandbox, be busy, reject, hold, park or hang up',
  options: {
    action: {
      type: 'string',
      positional: true,
      required: true,
      choices: ['answer', 'busy', 'reject', 'hangup', 'hold', 'park', 'resume'],
      summary: 'What the hand does',
    },
    number: { type: 'string', positional: true, required: true, summary: 'Telephone or extension number' },
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'Let calls wait for a hand', command: 'ucctl sandbox settings callProgression=manual' },
    { comment: 'Pick up', command: 'ucctl sandbox phone answer 102' },
    { comment: 'Put the caller on hold', command: 'ucctl sandbox phone hold 102' },
  ],
  jsonFields: ['sessionId', 'callStatus', 'legStatus', 'telephonyStatus'],
  exitCodes: notRunning,
  load: () => import('./phone.ts').then((m) => m.sandboxPhoneCommand),
});
