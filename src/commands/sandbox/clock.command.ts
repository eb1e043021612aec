import { defineCommand } from '../../runtime/define.ts';
import type { SandboxClockOptions } from './clock.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxClock = defineCommand<SandboxClockOptions>({
  path: ['sandbox', 'clock'],
  summary: 'Show the clock of a sandbox, put it forward, freeze it, let it run',
  options: {
    action: {
      type: 'string',
      positional: true,
      choices: ['show', 'advance', 'freeze', 'resume', 'speed'],
      default: 'show',
      summary: 'What to do',
    },
    value: {
      type: 'string',
      positional: true,
      summary: 'For advance a time such as 90s or 5d; for speed a factor such as 60x',
    },
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Five days pass, and every timer that falls due goes off',
      command: 'ucctl sandbox clock advance 5d',
    },
    { comment: 'A minute a second', command: 'ucctl sandbox clock speed 60x' },
  ],
  jsonFields: ['time', 'mode', 'fired'],
  exitCodes: notRunning,
  load: () => import('./clock.ts').then((m) => m.sandboxClockCommand),
});
