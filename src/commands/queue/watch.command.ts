import { boardOutput } from '../../features/board/board.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { queueOption } from './options.command.ts';
import { watchOptions } from '../../runtime/watch-options.ts';
import type { QueueWatchOptions } from './watch.ts';

export const queueWatch = defineCommand<QueueWatchOptions>({
  path: ['queue', 'watch'],
  summary: 'Watch the agents of a queue live',
  description:
    'Shows which agents are available, ringing, on a call or away, with caller and queue. On a terminal, the board updates in place; in a pipe, each change is a JSON record. Press q or Ctrl-C to quit.',
  details:
    'On a terminal, keys control the board: q quits, / filters, s sorts, the arrows and PgUp and PgDn scroll, ? shows help. ' +
    'The FOR column shows how long the state has lasted; for a call, it shows the time since the start of the call. The service does not report other start times, so 5m+ means at least five minutes. ' +
    'With -o json, also on a terminal, ucctl writes each change as one JSON line with the members of the changed row. The state removed means that the person is no longer an agent of the queue. The flag --watch has no effect. ' +
    'In dialect current, the board shows agents who are signed out of the queue (ucctl queue availability). ucctl reads this at the start, and again every 10 minutes with live events or in each round of polling. ' +
    'If the service runs on this machine, or with --public-url, ucctl creates a subscription for live events and deletes it on exit. ' +
    'Otherwise it polls the presence of each agent, using at most half of the rate limit.',
  options: {
    queue: queueOption,
    ...watchOptions,
  },
  examples: [
    { comment: 'Show a board', command: 'ucctl queue watch Support' },
    { comment: 'Write changes as JSON lines', command: 'ucctl queue watch Support -o ndjson' },
  ],
  permissions: ['ReadAccounts', 'ReadPresence'],
  currentPermissions: ['ReadAccounts', 'ReadPresence', 'WebSocket'],
  rateGroup: 'Medium',
  output: boardOutput,
  exitCodes: { 3: 'queue not found' },
  load: () => import('./watch.ts').then((m) => m.watchQueue),
});
