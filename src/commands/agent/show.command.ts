import { defineCommand } from '../../runtime/define.ts';
import { agentOption } from './options.command.ts';
import type { AgentShowOptions } from './show.ts';
import { record } from '../../runtime/output-schema.ts';
import { agentRows } from './agent.rows.ts';

export const agentShow = defineCommand<AgentShowOptions>({
  path: ['agent', 'show'],
  summary: 'Show the queues and presence of an agent',
  options: {
    agent: agentOption,
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
