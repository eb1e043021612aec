import { defineCommand } from '../../runtime/define.ts';
import type { QueueListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { queueRows } from './queue.rows.ts';

export const queueList = defineCommand<QueueListOptions>({
  path: ['queue', 'list'],
  summary: 'List the call queues of the account',
  options: {
    members: {
      type: 'boolean',
      adds: ['members'],
      summary: 'Show the number of agents in each queue (one request per queue)',
    },
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of queues' },
  },
  examples: [
    { comment: 'List all queues', command: 'ucctl queue list' },
    {
      comment: 'List queues and their agent counts as JSON',
      command: 'ucctl queue list --members -o json',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(queueRows),
  watch: true,
  load: () => import('./list.ts').then((m) => m.listQueues),
});
