import { defineCommand } from '../../runtime/define.ts';
import type { SandboxResetOptions } from './reset.ts';
import { notRunning, readyFileOption } from './options.command.ts';

export const sandboxReset = defineCommand<SandboxResetOptions>({
  path: ['sandbox', 'reset'],
  summary: 'Empty a running sandbox and fill it again',
  options: {
    fixture: { type: 'string', value: 'NAME', summary: 'Another fixture than it was started with' },
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'As at the start', command: 'ucctl sandbox reset' }],
  jsonFields: ['reset'],
  exitCodes: notRunning,
  load: () => import('./reset.ts').then((m) => m.sandboxResetCommand),
});
