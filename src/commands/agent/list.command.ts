import { defineCommand } from '../../runtime/define.ts';
import type { AgentListOptions } from './list.ts';
import { list } from '../../runtime/output-schema.ts';
import { agentRows } from './agent.rows.ts';

export const agentList = defineCommand<AgentListOptions>({
  path: ['agent', 'list'],
  summary: 'List the agents with their queues',
  description: 'An agent is a person in at least one queue. The command sends one request for each queue.',
  options: {
    queue: {
      type: 'list',
      value: 'QUEUE,...',
      summary: 'List only the agents of these queues; their other queues are not read and not listed',
    },
    presence: {
      type: 'boolean',
      adds: ['queueCalls', 'presence', 'dndStatus'],
      summary:
        'Include presence and accepted calls; in dialect current, also who is signed out of a queue (one request per agent, or fewer if the account supports batch requests, and one per queue)',
    },
    idle: {
      type: 'boolean',
      summary: 'List people who are not in any queue',
      conflicts: ['queue', 'presence'],
    },
    limit: { type: 'integer', short: 'L', value: 'N', min: 1, summary: 'Maximum number of people' },
  },
  argumentFlags: ['queue'],
  examples: [
    { comment: 'List all agents', command: 'ucctl agent list' },
    {
      comment: 'List the Support agents and whether they accept calls',
      command: 'ucctl agent list --queue Support --presence',
    },
  ],
  permissions: ['ReadAccounts'],
  rateGroup: 'Medium',
  output: list(agentRows),
  exitCodes: { 3: 'queue not found' },
  watch: true,
  load: () => import('./list.ts').then((m) => m.listAgents),
});
