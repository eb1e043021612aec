import { defineCommand } from '../../runtime/define.ts';
import type { QueueAssignOptions } from './assign.ts';

export const queueAssign = defineCommand<QueueAssignOptions>({
  path: ['queue', 'assign'],
  summary: 'Add agents to call queues and remove them',
  description:
    'Reads the present agents, shows what will change, asks, sends one request, and reads the agents back to see that it is so. ' +
    'What is so already is left alone. A file has the columns queue, extension and action (add or remove); all of its problems are reported at once, and nothing is sent then.',
  options: {
    queue: {
      type: 'string',
      value: 'QUEUE',
      summary: 'The queue, by id, extension number or name',
      conflicts: ['file'],
    },
    add: { type: 'list', value: 'AGENT,...', summary: 'Agents to add, by id, extension number or e-mail' },
    remove: { type: 'list', value: 'AGENT,...', summary: 'Agents to remove' },
    file: {
      type: 'string',
      short: 'f',
      value: 'FILE',
      summary: 'CSV with the columns queue, extension, action; - for standard input',
    },
  },
  examples: [
    {
      comment: 'Two agents in, one out',
      command: 'ucctl queue assign --queue Support --add 101,102 --remove 103',
    },
    {
      comment: 'From a file, seeing first what it would do',
      command: 'ucctl queue assign -f agents.csv --dry-run',
    },
  ],
  permissions: ['ReadAccounts', 'EditExtensions'],
  rateGroup: 'Heavy',
  mutates: true,
  jsonFields: ['queue', 'queueName', 'extension', 'agentName', 'action', 'status', 'queueId', 'agentId'],
  exitCodes: { 3: 'a queue or an agent does not exist', 8: 'some changes were made, some were not' },
  load: () => import('./assign.ts').then((m) => m.assignAgents),
});
