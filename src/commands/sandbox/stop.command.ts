import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxStopOptions } from './stop.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { stopRows } from './state.rows.ts';

export const sandboxStop = defineCommand<SandboxStopOptions>({
  path: ['sandbox', 'stop'],
  summary: 'Stop a running sandbox',
  options: {
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'Stop the most recent sandbox', command: 'ucctl sandbox stop' }],
  output: record(stopRows),
  exitCodes: notRunning,
  load: () => import('./stop.ts').then((m) => m.sandboxStopCommand),
});
