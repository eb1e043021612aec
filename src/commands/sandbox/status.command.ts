import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxStatusOptions } from './status.ts';
import { notRunning, readyFileOption } from './options.command.ts';
import { statusRows } from './sandbox.rows.ts';

export const sandboxStatus = defineCommand<SandboxStatusOptions>({
  path: ['sandbox', 'status'],
  summary: 'Show the address, clock and content of a running sandbox',
  description:
    'The text output shows only the first entries of a long list, and the number of the others. The JSON output has all entries.',
  options: {
    showSecrets: {
      type: 'boolean',
      summary: 'Show passwords and client secrets instead of asterisks',
    },
    readyFile: readyFileOption,
  },
  examples: [{ comment: 'Check whether a sandbox is running', command: 'ucctl sandbox status' }],
  output: record(statusRows),
  exitCodes: notRunning,
  watch: true,
  load: () => import('./status.ts').then((m) => m.sandboxStatusCommand),
});
