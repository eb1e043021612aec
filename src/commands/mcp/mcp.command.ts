import { defineCommand } from '../../runtime/define.ts';
import { list, nothing } from '../../runtime/output-schema.ts';
import { callRows } from './call.rows.ts';
import type { McpOptions } from './mcp.ts';

export const mcpCommand = defineCommand<McpOptions>({
  path: ['mcp'],
  summary: 'Serve ucctl to AI agents by the Model Context Protocol (MCP)',
  description:
    'Speaks MCP on standard input and output, for an agent program that starts it. Tools can only read, unless the setting mcp-allow names further tools. ' +
    'Each change requires confirmation by the user, or the plan from a preview.',
  details:
    'Tools run the commands of ucctl with the session and policy of the profile and return their JSON output. Before a change, the agent program asks the user. ' +
    'If it cannot ask, the agent gets a preview and can run exactly this preview by its plan within 10 minutes. If the data has changed since then, ucctl rejects the plan.\n\n' +
    'ucctl records every call with the name of the agent program (ucctl mcp calls). Tools cannot sign in, change settings or call arbitrary operations.\n\n' +
    'ucctl mcp --sandbox starts a temporary sandbox with all tools allowed.',
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
  exitCodes: { 9: 'started by a person on a terminal', 12: 'the sandbox cannot start' },
  load: () => import('./mcp.ts').then((m) => m.serveMcp),
});

export const mcpCalls = defineCommand<object>({
  path: ['mcp', 'calls'],
  summary: 'List the recorded calls of AI agents',
  description:
    'Shows what agents did through ucctl mcp on this machine, oldest first. A change with a start record but no later record was interrupted.',
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
