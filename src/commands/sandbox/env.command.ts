import { defineCommand } from '../../runtime/define.ts';
import { record } from '../../runtime/output-schema.ts';
import type { SandboxEnvOptions } from './env.ts';
import { environmentRows } from './env.rows.ts';

export const sandboxEnv = defineCommand<SandboxEnvOptions>({
  path: ['sandbox', 'env'],
  summary: 'Print environment variables that connect ucctl to a running sandbox',
  details:
    'If no sandbox is found, the command prints the word false to stdout, so that eval fails, too, and a script with set -e stops instead of using the account of the profile.',
  options: {
    readyFile: {
      type: 'string',
      value: 'FILE',
      summary: 'File written by sandbox start --ready-file; default: the file of the most recent sandbox',
    },
  },
  examples: [
    { comment: 'Use the sandbox in this shell', command: 'eval "$(ucctl sandbox env)"' },
    { comment: 'Use a specific sandbox', command: 'eval "$(ucctl sandbox env --ready-file ready.json)"' },
  ],
  printsText: true,
  output: record(environmentRows),
  exitCodes: { 12: 'no sandbox is running' },
  load: () => import('./env.ts').then((m) => m.sandboxEnvCommand),
});
