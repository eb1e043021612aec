import { defineCommand } from '../../runtime/define.ts';
import { watchOptions } from '../../runtime/watch-options.ts';
import type { PresenceWatchOptions } from './watch.ts';
import { boardOutput } from '../../features/board/board.rows.ts';

export const presenceWatch = defineCommand<PresenceWatchOptions>({
  path: ['presence', 'watch'],
  summary: "Watch people's presence live",
  description:
    'On a terminal, the command shows a board that updates in place. In a pipe, it writes a JSON record for each change. Press q or Ctrl-C to quit.',
  details:
    'On a terminal, keys control the board: q quits, / filters, s sorts, the arrows and PgUp and PgDn scroll, ? shows help. ' +
    'The FOR column shows how long the state has lasted; for a call, it shows the time since the start of the call. The service does not report other start times, so 5m+ means at least five minutes. ' +
    'With -o json, also on a terminal, ucctl writes each change as one JSON line with the members of the changed row. The flag --watch has no effect. ' +
    'If the service runs on this machine, or with --public-url, ucctl creates a subscription for live events and deletes it on exit. ' +
    'Otherwise it polls the presence of each person, using at most half of the rate limit.',
  options: {
    extensions: {
      type: 'list',
      positional: true,
      value: 'EXT',
      requiredUnless: ['queue'],
      summary: 'ID, extension number, e-mail or name',
    },
    queue: { type: 'string', value: 'QUEUE', summary: 'Watch the current agents of this queue' },
    ...watchOptions,
  },
  examples: [
    { comment: 'Watch two people', command: 'ucctl presence watch 102 mei.lin@example.com' },
    {
      comment: 'Watch a queue as text lines for a screen reader',
      command: 'ucctl presence watch --queue Support --accessible',
    },
  ],
  permissions: ['ReadPresence'],
  currentPermissions: ['ReadPresence', 'WebSocket'],
  rateGroup: 'Medium',
  output: boardOutput,
  exitCodes: { 3: 'extension or queue not found' },
  load: () => import('./watch.ts').then((m) => m.watchPresence),
});
