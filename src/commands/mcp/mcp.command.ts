import { defineCommand } from '../../runtime/define.ts';
import { list, nothing } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';
import type { McpOptions } from './mcp.ts';

export const mcpCommand = defineCommand<McpOptions>({
  path: ['mcp'],
  summary: 'Serve ucctl to AI agents over the Model Context Protocol (MCP)',
  description:
    'An agent program starts this command and exchanges MCP messages with it through standard input and output. Tools can only read data, unless the mcp-allow setting names tools that may make changes. ' +
    'Each change requires a confirmation from the user, or the plan from a preview.',
  details:
    'Tools run the commands of ucctl with the session and policy of the profile and return their JSON output. Before a change, the agent program asks the user. ' +
    'If the program cannot ask, the agent gets a preview with a plan, and can run exactly this plan within 10 minutes. If the data has changed since then, ucctl rejects the plan.\n\n' +
    'ucctl records every call with the name of the agent program (ucctl mcp calls). Tools cannot sign in, change settings or call arbitrary operations.\n\n' +
    'ucctl mcp --sandbox starts a temporary sandbox with all tools allowed. It has dialect current, in which every tool works, unless a setting selects dialect spec.',
  options: {
    sandbox: {
      type: 'boolean',
      summary: 'Serve a temporary sandbox with all tools allowed, until the connection ends',
    },
  },
  examples: [
    {
      comment: 'Allow an agent to change queue agents',
      command: 'ucctl config set mcp-allow queue_change,history_undo',
    },
  ],
  output: nothing,
  exitCodes: { 9: 'started on a terminal instead of by an agent program', 12: 'the sandbox cannot start' },
  load: () => import('./mcp.ts').then((m) => m.serveMcp),
});

export const mcpCalls = defineCommand<object>({
  path: ['mcp', 'calls'],
  summary: 'List the recorded tool calls of AI agents',
  description:
    'Shows the commands that agents ran through ucctl mcp on this machine, oldest first. A change with a start record but no later record did not finish.',
  options: {},
  examples: [
    {
      comment: 'Show the commands that agents ran',
      command: 'ucctl mcp calls --fields time,client,outcome,command',
    },
  ],
  output: list(callRows),
  load: () => import('./calls.ts').then((m) => m.listCalls),
});
