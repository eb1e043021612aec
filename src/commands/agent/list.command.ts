import { defineCommand } from '../../runtime/define.ts';
import type { AgentListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { agentRows } from './agent.rows.ts';

export const agentList = defineCommand<AgentListOptions>({
  path: ['agent', 'list'],
  summary: 'List the agents with their queues',
  description:
    'An agent is anyone who is in at least one queue. One request for each queue is needed to know it.',
  options: {
    queue: { type: 'list', value: 'QUEUE,...', summary: 'Only agents of these queues' },
    presence: { type: 'boolean', summary: 'With who takes queue calls now (one request for each agent)' },
    idle: {
      type: 'boolean',
      summary: 'Instead: people who are in no queue',
      conflicts: ['queue', 'presence'],
    },
  },
  examples: [
    { comment: 'All agents', command: 'ucctl agent list' },
    { comment: 'Who in Support takes calls now', command: 'ucctl agent list --queue Support --presence' },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(agentRows),
  exitCodes: { 3: 'there is no such queue' },
  watch: true,
  load: () => import('./list.ts').then((m) => m.listAgents),
});
