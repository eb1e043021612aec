import { defineCommand } from '../../runtime/define.ts';
import type { PresenceShowOptions } from './show.ts';
import { presenceOutput } from './presence.rows.ts';

export const presenceShow = defineCommand<PresenceShowOptions>({
  path: ['presence', 'show'],
  summary: 'Show the presence of extensions',
  options: {
    extensions: {
      type: 'list',
      positional: true,
      value: 'EXT',
      summary: 'ID, extension number, e-mail or name; your own extension by default',
    },
    queue: { type: 'string', value: 'QUEUE', summary: 'Show the agents of this queue' },
    detailed: { type: 'boolean', summary: 'Include the active calls' },
  },
  examples: [
    { comment: 'Show your own presence', command: 'ucctl presence show' },
    { comment: 'Show all agents of Support', command: 'ucctl presence show --queue Support' },
    {
      comment: 'Show which calls extension 104 accepts',
      command: 'ucctl presence show 104 --fields dndStatus',
    },
  ],
  permissions: ['ReadPresence'],
  rateGroup: 'Medium',
  output: presenceOutput,
  exitCodes: { 3: 'extension or queue not found' },
  watch: true,
  load: () => import('./show.ts').then((m) => m.showPresence),
});
