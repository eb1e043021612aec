import { defineCommand } from '../../runtime/define.ts';
import { copyOptions } from '../../runtime/copy-options.ts';
import { record } from '../../runtime/output-schema.ts';
import type { ConsoleOptions } from './console.ts';
import { consoleRows } from './console.rows.ts';

export const consoleCommand = defineCommand<ConsoleOptions>({
  path: ['console'],
  summary: 'Show messages, calls, boards and live events in the browser',
  description:
    'Serves a page on this machine until Ctrl-C, with live events, the local mailbox copy, boards, call statistics, queues and the journals of the profile. ' +
    'The page asks before it sends or changes anything. The same policy, limits and journals apply as on the command line.',
  details:
    'The page reads messages from the local mailbox copy (ucctl sync) or the store, and calls from the local call database (ucctl calllog sync). ' +
    'The address contains a token of this run. With --read-only, the page cannot send or change anything.',
  options: {
    ...copyOptions,
    readOnly: { type: 'boolean', summary: 'Serve a page that cannot send or change anything' },
    port: {
      type: 'integer',
      min: 0,
      max: 65_535,
      default: 0,
      summary: 'Local port to listen on; 0 for any free port',
    },
    open: { type: 'boolean', negatable: true, summary: 'Show the page in the browser (default)' },
  },
  examples: [
    { comment: 'Show the profile in use', command: 'ucctl console' },
    {
      comment: 'Serve a read-only page on a fixed port',
      command: 'ucctl console --read-only --port 8088 --no-open',
    },
  ],
  output: record(consoleRows),
  exitCodes: { 12: 'the port is in use, or ucctl cannot use a database' },
  load: () => import('./console.ts').then((m) => m.openConsole),
});
