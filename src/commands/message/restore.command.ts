import { defineCommand } from '../../runtime/define.ts';
import type { MessageIdsOptions } from './mark.ts';

export const messageRestore = defineCommand<MessageIdsOptions>({
  path: ['message', 'restore'],
  summary: 'Bring deleted messages back',
  description: 'A purged message cannot be brought back. A cancelled fax is sent after all.',
  options: {
    ids: { type: 'list', positional: true, required: true, value: 'ID...', summary: 'Ids of messages' },
  },
  examples: [{ comment: 'One', command: 'ucctl message restore 4711' }],
  permissions: ['EditMessages'],
  rateGroup: 'Medium',
  mutates: true,
  jsonFields: ['id', 'result', 'reason'],
  exitCodes: { 3: 'there is no such message', 8: 'some were brought back, some were not' },
  load: () => import('./restore.ts').then((m) => m.restoreMessages),
});
