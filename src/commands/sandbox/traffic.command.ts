import { defineCommand } from '../../runtime/define.ts';
import type { SandboxTrafficOptions } from './traffic.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxTraffic = defineCommand<SandboxTrafficOptions>({
  path: ['sandbox', 'traffic'],
  summary: 'Let made-up traffic run in a sandbox, the same for the same seed',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['show', 'start', 'stop'],
      default: 'show',
      summary: 'What to do',
    },
    perMinute: {
      type: 'integer',
      min: 1,
      max: 60_000,
      default: 60,
      summary: 'Events in a minute of its clock',
    },
    for: { type: 'duration', minSeconds: 1, summary: 'How long; without it until stopped' },
    kinds: { type: 'list', summary: 'Kinds of events: sms, presence, call, voicemail, fax, pager' },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Texts and calls for an hour',
      command: 'ucctl sandbox traffic start --per-minute 30 --for 1h',
    },
  ],
  jsonFields: ['running', 'perMinute', 'kinds', 'made'],
  exitCodes: notRunning,
  load: () => import('./traffic.ts').then((m) => m.sandboxTrafficCommand),
});
