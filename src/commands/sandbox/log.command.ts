import { defineCommand } from '../../runtime/define.ts';
import type { SandboxLogOptions } from './log.ts';
import { lastOnesOption, notRunning, readyFileOption } from './options.command.ts';

export const sandboxLog = defineCommand<SandboxLogOptions>({
  path: ['sandbox', 'log'],
  summary: 'List the requests that a sandbox answered, oldest first',
  options: {
    limit: lastOnesOption,
    readyFile: readyFileOption,
  },
  examples: [
    { comment: 'What did my program ask, and what was not read?', command: 'ucctl sandbox log --limit 20' },
  ],
  jsonFields: ['time', 'method', 'path', 'status', 'operation', 'unread'],
  exitCodes: notRunning,
  watch: true,
  load: () => import('./log.ts').then((m) => m.sandboxLogCommand),
});
