import { defineCommand } from '../../runtime/define.ts';
import { agentOption } from './options.command.ts';
import type { AgentAvailabilityOptions } from './availability.ts';
import { queueAvailabilityOutput } from './availability.rows.ts';

export const agentAvailability = defineCommand<AgentAvailabilityOptions>({
  path: ['agent', 'availability'],
  summary: 'Show the queues whose calls an agent accepts',
  description:
    'Shows each queue of the agent, and whether the agent accepts the calls of the queue. In dialect spec, the result depends on the dndStatus of the agent and is the same for all queues.',
  options: {
    agent: agentOption,
  },
  examples: [{ comment: 'Show the queues of agent 104', command: 'ucctl agent availability 104' }],
  permissions: ['ReadAccounts', 'ReadPresence'],
  rateGroup: 'Medium',
  output: queueAvailabilityOutput,
  exitCodes: { 3: 'agent not found' },
  load: () => import('./availability.ts').then((m) => m.showAgentAvailability),
});
