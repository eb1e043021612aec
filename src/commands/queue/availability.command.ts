import { defineCommand } from '../../runtime/define.ts';
import type { QueueAvailabilityOptions } from './availability.ts';
import { availabilityOutput } from './availability.rows.ts';

export const queueAvailability = defineCommand<QueueAvailabilityOptions>({
  path: ['queue', 'availability'],
  summary: 'Show or change which agents accept the calls of a queue',
  description:
    'Shows for each agent of the queue whether the agent accepts its calls. With --agent and --on or --off, it changes that for one agent and shows the new state.',
  details:
    'Only dialect current has an availability for each queue. In dialect spec, it follows from the dndStatus of the agents, which is the same for all queues; ucctl presence set --queue-calls changes it.',
  options: {
    queue: {
      type: 'string',
      positional: true,
      required: true,
      value: 'QUEUE',
      summary: 'Id, extension number or name of the queue',
    },
    agent: { type: 'string', value: 'AGENT', summary: 'Person in the queue whose availability changes' },
    on: { type: 'boolean', summary: 'Accept the calls of the queue', conflicts: ['off'] },
    off: { type: 'boolean', summary: 'Do not accept the calls of the queue' },
  },
  examples: [{ comment: 'Show who accepts Support calls', command: 'ucctl queue availability Support' }],
  permissions: ['ReadAccounts', 'ReadPresence'],
  currentPermissions: ['ReadAccounts', 'EditPresence'],
  rateGroup: 'Medium',
  mutates: true,
  output: availabilityOutput,
  exitCodes: {
    2: 'the agent is not in the queue, or the dialect has no availability for each queue',
    3: 'queue or agent not found',
  },
  load: () => import('./availability.ts').then((m) => m.showAvailability),
});
