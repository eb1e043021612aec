import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxResetOptions } from './reset.ts';
import { fixtureOption, notRunning, readyFileOption } from './options.command.ts';
import { resetRows } from './state.rows.ts';

export const sandboxReset = defineCommand<SandboxResetOptions>({
  path: ['sandbox', 'reset'],
  summary: 'Reset a running sandbox to its initial content',
  options: {
    fixture: {
      ...fixtureOption,
      summary: 'Initial content; default: the content at the start of the sandbox',
    },
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'Reset to the initial content', command: 'ucctl sandbox reset' }],
  output: record(resetRows),
  exitCodes: notRunning,
  load: () => import('./reset.ts').then((m) => m.sandboxResetCommand),
});
