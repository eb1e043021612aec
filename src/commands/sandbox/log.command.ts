import { defineCommand } from '../../runtime/define.ts';
import { list } from '../../runtime/output-schema.ts';
import type { SandboxLogOptions } from './log.ts';
import { newestOption, notRunning, readyFileOption } from './options.command.ts';
import { requestRows } from './log.rows.ts';

export const sandboxLog = defineCommand<SandboxLogOptions>({
  path: ['sandbox', 'log'],
  summary: 'List the requests that a sandbox received, oldest first',
  options: {
    limit: newestOption,
    readyFile: readyFileOption,
  },
  examples: [
    {
      comment: 'Show the last 20 requests and the JSON members that the sandbox ignored',
      command: 'ucctl sandbox log --limit 20',
    },
  ],
  output: list(requestRows),
  exitCodes: notRunning,
  watch: true,
  load: () => import('./log.ts').then((m) => m.sandboxLogCommand),
});
