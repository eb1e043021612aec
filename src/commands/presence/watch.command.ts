import { defineCommand } from '../../runtime/define.ts';
import { watchOptions } from '../../runtime/watch-options.ts';
import type { PresenceWatchOptions } from './watch.ts';
import { boardOutput } from '../../features/board/board.rows.ts';

export const presenceWatch = defineCommand<PresenceWatchOptions>({
  path: ['presence', 'watch'],
  summary: 'Watch the presence of people as it changes',
  description:
    'On a terminal a board that is redrawn in place, in a pipe a JSON record for each change. Live events need that the service can reach this machine; otherwise the presences are read in turn, ' +
    'within half of the rate limit. Ctrl-C ends it and deletes the subscription.',
  options: {
    extensions: {
      type: 'list',
      positional: true,
      value: 'EXT',
      summary: 'By id, extension number, e-mail or name',
    },
    queue: { type: 'string', value: 'QUEUE', summary: 'Instead: the agents of this queue, as they are now' },
    ...watchOptions,
  },
  examples: [
    { comment: 'Two people', command: 'ucctl presence watch 102 mei.lin@example.com' },
    { comment: 'A queue, as lines', command: 'ucctl presence watch --queue Support --accessible' },
  ],
  permissions: ['ReadPresence'],
  rateGroup: 'Medium',
  output: boardOutput,
  exitCodes: { 3: 'an extension or the queue does not exist' },
  load: () => import('./watch.ts').then((m) => m.watchPresence),
});
