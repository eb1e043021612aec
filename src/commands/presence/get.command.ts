import { defineCommand } from '../../runtime/define.ts';
import type { PresenceGetOptions } from './get.ts';
import { presenceOutput } from './presence.rows.ts';

export const presenceGet = defineCommand<PresenceGetOptions>({
  path: ['presence', 'get'],
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
    { comment: 'Show your own presence', command: 'ucctl presence get' },
    { comment: 'Show all agents of Support', command: 'ucctl presence get --queue Support' },
    {
      comment: 'Show which calls extension 104 accepts',
      command: 'ucctl presence get 104 --fields dndStatus',
    },
  ],
  permissions: ['ReadPresence'],
  rateGroup: 'Medium',
  output: presenceOutput,
  exitCodes: { 3: 'extension or queue not found' },
  watch: true,
  load: () => import('./get.ts').then((m) => m.getPresence),
});
