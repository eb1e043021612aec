import { defineCommand } from '../../runtime/define.ts';
import { queueOption } from './options.command.ts';
import type { QueueMembersOptions } from './members.ts';
import { list } from '../../runtime/output-schema.ts';
import { memberRows } from './member.rows.ts';

export const queueMembers = defineCommand<QueueMembersOptions>({
  path: ['queue', 'members'],
  summary: 'List the agents of a call queue',
  options: {
    queue: queueOption,
  },
  examples: [
    { comment: 'List the agents of the queue with extension number 501', command: 'ucctl queue members 501' },
    { comment: 'List only the extension numbers', command: 'ucctl queue members Support --fields number' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(memberRows),
  exitCodes: { 2: 'the name matches several queues', 3: 'queue not found' },
  watch: true,
  load: () => import('./members.ts').then((m) => m.listQueueMembers),
});
