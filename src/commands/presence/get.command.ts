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
      summary: 'By id, extension number, e-mail or name; your own when none is named',
    },
    queue: { type: 'string', value: 'QUEUE', summary: 'Instead: the agents of this queue' },
    detailed: { type: 'boolean', summary: 'With the calls of the extension' },
  },
  examples: [
    { comment: 'Your own', command: 'ucctl presence get' },
    { comment: 'Everyone in Support', command: 'ucctl presence get --queue Support' },
    { comment: 'Does 104 take queue calls?', command: 'ucctl presence get 104 --fields dndStatus' },
  ],
  permissions: ['ReadPresence'],
  rateGroup: 'Medium',
  output: presenceOutput,
  exitCodes: { 3: 'an extension or the queue does not exist' },
  watch: true,
  load: () => import('./get.ts').then((m) => m.getPresence),
});
