import { defineCommand } from '../../runtime/define.ts';
import type { AgentShowOptions } from './show.ts';
import { record } from '../../runtime/output-schema.ts';
import { agentRows } from './agent.rows.ts';

export const agentShow = defineCommand<AgentShowOptions>({
  path: ['agent', 'show'],
  summary: 'Show the queues and presence of an agent',
  options: {
    agent: {
      type: 'string',
      positional: true,
      required: true,
      value: 'AGENT',
      summary: 'ID, extension number, e-mail or name of the agent; ~ is your own extension',
    },
  },
  examples: [
    { comment: 'Show the agent with this e-mail address', command: 'ucctl agent show mei.lin@example.com' },
  ],
  permissions: ['ReadAccounts', 'ReadPresence'],
  rateGroup: 'Medium',
  output: record(agentRows),
  exitCodes: { 3: 'agent not found' },
  watch: true,
  load: () => import('./show.ts').then((m) => m.showAgent),
});
