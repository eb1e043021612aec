import { defineCommand } from '../../runtime/define.ts';
import type { SandboxStopOptions } from './stop.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxStop = defineCommand<SandboxStopOptions>({
  path: ['sandbox', 'stop'],
  summary: 'End a running sandbox',
  options: {
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'End the one started last', command: 'ucctl sandbox stop' }],
  jsonFields: ['stopping'],
  exitCodes: notRunning,
  load: () => import('./stop.ts').then((m) => m.sandboxStopCommand),
});
