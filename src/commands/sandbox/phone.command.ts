import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxPhoneOptions } from './phone.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { phoneRows } from './phone.rows.ts';

export const sandboxPhone = defineCommand<SandboxPhoneOptions>({
  path: ['sandbox', 'phone'],
  summary: 'Answer, reject, hold or hang up a call on a sandbox phone',
  options: {
    action: {
      type: 'string',
      positional: true,
      required: true,
      choices: ['answer', 'busy', 'reject', 'hangup', 'hold', 'park', 'resume'],
      summary: 'Action',
    },
    number: { type: 'string', positional: true, required: true, summary: 'Telephone or extension number' },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Let calls ring until `sandbox phone` answers them',
      command: 'ucctl sandbox settings callProgression=manual',
    },
    { comment: 'Answer the call', command: 'ucctl sandbox phone answer 102' },
    { comment: 'Put the caller on hold', command: 'ucctl sandbox phone hold 102' },
  ],
  output: record(phoneRows),
  exitCodes: notRunning,
  load: () => import('./phone.ts').then((m) => m.sandboxPhoneCommand),
});
