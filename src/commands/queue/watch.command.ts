import { boardOutput } from '../../features/board/board.rows.ts';
import { defineCommand } from '../../runtime/define.ts';
import { watchOptions } from '../../runtime/watch-options.ts';
import type { QueueWatchOptions } from './watch.ts';

export const queueWatch = defineCommand<QueueWatchOptions>({
  path: ['queue', 'watch'],
  summary: 'Watch the agents of a queue: who is available, ringing, on a call, away',
  description:
    'On a terminal a board that is redrawn in place, in a pipe a JSON record for each change. Live events come through a subscription of its own where the service can reach this machine ' +
    '(it runs here, or --public-url); otherwise the presences are read in turn, within half of the rate limit. Ctrl-C ends it and deletes the subscription.',
  options: {
    queue: {
      type: 'string',
      positional: true,
      required: true,
      value: 'QUEUE',
      summary: 'The queue, by id, extension number or name',
    },
    ...watchOptions,
  },
  examples: [
    { comment: 'A board', command: 'ucctl queue watch Support' },
    { comment: 'For a program', command: 'ucctl queue watch Support -o ndjson' },
  ],
  permissions: ['ReadAccounts', 'ReadPresence'],
  rateGroup: 'Medium',
  output: boardOutput,
  exitCodes: { 3: 'there is no such queue' },
  load: () => import('./watch.ts').then((m) => m.watchQueue),
});
