import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxTrafficOptions } from './traffic.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { trafficRows } from './state.rows.ts';

export const sandboxTraffic = defineCommand<SandboxTrafficOptions>({
  path: ['sandbox', 'traffic'],
  summary: 'Generate reproducible traffic in a sandbox',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['show', 'start', 'stop'],
      default: 'show',
      summary: 'Action',
    },
    perMinute: {
      type: 'integer',
      min: 1,
      max: 60_000,
      default: 60,
      summary: 'Events per sandbox minute',
    },
    for: { type: 'duration', minSeconds: 1, summary: 'Duration; default: until stopped' },
    kinds: { type: 'list', summary: 'Events to generate: sms, presence, call, voicemail, fax, pager' },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Generate 30 events per minute for an hour',
      command: 'ucctl sandbox traffic start --per-minute 30 --for 1h',
    },
  ],
  output: record(trafficRows),
  exitCodes: notRunning,
  load: () => import('./traffic.ts').then((m) => m.sandboxTrafficCommand),
});
