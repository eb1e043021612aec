import { defineCommand } from '../../runtime/define.ts';
import type { QueueMembersOptions } from './members.ts';
import { list } from '../../runtime/output-schema.ts';
import { memberRows } from './member.rows.ts';

export const queueMembers = defineCommand<QueueMembersOptions>({
  path: ['queue', 'members'],
  summary: 'List the agents of a call queue',
  options: {
    queue: {
      type: 'string',
      positional: true,
      required: true,
      value: 'QUEUE',
      summary: 'The queue, by id, extension number or name',
    },
  },
  examples: [
    { comment: 'By extension number', command: 'ucctl queue members 501' },
    { comment: 'By name, only the numbers', command: 'ucctl queue members Support --fields number' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(memberRows),
  exitCodes: { 2: 'the name fits several queues', 3: 'there is no such queue' },
  watch: true,
  load: () => import('./members.ts').then((m) => m.listQueueMembers),
});
