import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxClockOptions } from './clock.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { clockRows } from './state.rows.ts';

export const sandboxClock = defineCommand<SandboxClockOptions>({
  path: ['sandbox', 'clock'],
  summary: 'Show, advance, freeze or speed up the clock of a sandbox',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['show', 'advance', 'freeze', 'resume', 'speed'],
      default: 'show',
      summary: 'Action',
    },
    value: {
      type: 'string',
      positional: true,
      summary: 'Duration to advance by, such as 90s or 5d; or speed factor, such as 60x',
    },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Advance by five days and run all due timers',
      command: 'ucctl sandbox clock advance 5d',
    },
    { comment: 'Run the clock at 60 times normal speed', command: 'ucctl sandbox clock speed 60x' },
  ],
  output: record(clockRows),
  exitCodes: notRunning,
  load: () => import('./clock.ts').then((m) => m.sandboxClockCommand),
});
