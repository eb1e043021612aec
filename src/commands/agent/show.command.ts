import { defineCommand } from '../../runtime/define.ts';
import type { AgentShowOptions } from './show.ts';
import { record } from '../../runtime/output-schema.ts';
import { agentRows } from './agent.rows.ts';

export const agentShow = defineCommand<AgentShowOptions>({
  path: ['agent', 'show'],
  summary: 'Show an agent: which queues, which presence',
  options: {
    agent: {
      type: 'string',
      positional: true,
      required: true,
      value: 'AGENT',
      summary: 'By id, extension number, e-mail or name',
    },
  },
  examples: [{ comment: 'By e-mail', command: 'ucctl agent show mei.lin@example.com' }],
  permissions: ['ReadAccounts', 'ReadPresence'],
  rateGroup: 'Medium',
  output: record(agentRows),
  exitCodes: { 3: 'there is no such agent' },
  watch: true,
  load: () => import('./show.ts').then((m) => m.showAgent),
});
