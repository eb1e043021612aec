import type { NounSpec } from '../../runtime/define.ts';
import { mcpCalls, mcpCommand } from './mcp.command.ts';

export const mcpNoun: NounSpec = {
  name: 'mcp',
  summary: 'Serve ucctl to AI agents over the Model Context Protocol (MCP)',
  section: 'Account and setup',
  commands: [mcpCommand, mcpCalls],
};
