import { defineCommand } from '../../runtime/define.ts';
import { queueOption } from './options.command.ts';
import type { QueueAvailabilityOptions } from './availability.ts';
import { availabilityOutput } from './availability.rows.ts';

export const queueAvailability = defineCommand<QueueAvailabilityOptions>({
  path: ['queue', 'availability'],
  summary: 'Show or change whether agents accept the calls of a queue',
  description:
    'Shows for each agent of the queue whether the agent accepts the calls of the queue. With --agent and --on or --off, the command changes the availability of one agent and shows the new state.',
  details:
    'Only dialect current has a separate availability for each queue. In dialect spec, the availability depends on the dndStatus of the agent and is the same for all queues. To change it, use ucctl presence set --queue-calls.',
  options: {
    queue: queueOption,
    agent: { type: 'string', value: 'AGENT', summary: 'Member of the queue to change' },
    on: { type: 'boolean', summary: 'Accept the calls of the queue', conflicts: ['off'] },
    off: { type: 'boolean', summary: 'Do not accept the calls of the queue' },
  },
  examples: [
    { comment: 'Show which agents accept Support calls', command: 'ucctl queue availability Support' },
  ],
  permissions: ['ReadAccounts', 'ReadPresence'],
  currentPermissions: ['ReadAccounts', 'EditPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: availabilityOutput,
  exitCodes: {
    2: 'the agent is not in the queue, or the dialect has no separate availability for each queue',
    3: 'queue or agent not found',
  },
  load: () => import('./availability.ts').then((m) => m.showAvailability),
});
