import { defineCommand } from '../../runtime/define.ts';
import { extensionFields } from '../../runtime/json-fields.ts';
import type { QueueListOptions } from './list.ts';

export const queueList = defineCommand<QueueListOptions>({
  path: ['queue', 'list'],
  summary: 'List the call queues of the account',
  options: {
    members: { type: 'boolean', summary: 'Count the agents of each queue (one request for each)' },
  },
  examples: [
    { comment: 'All queues', command: 'ucctl queue list' },
    { comment: 'With the number of agents, as JSON', command: 'ucctl queue list --members -o json' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  jsonFields: [...extensionFields, 'members'],
  watch: true,
  load: () => import('./list.ts').then((m) => m.listQueues),
});
