import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type McpServer,
} from '@modelcontextprotocol/server';
import type { Context } from '../../runtime/context.ts';
import { runNested } from '../../runtime/nested-run.ts';

/** Topics of `ucctl help` that help an agent. */
const helpTopics = [
  'exit-codes',
  'bulk',
  'permissions',
  'rate-limits',
  'formatting',
  'environment',
  'sandbox',
];

/** Adds help topics, schemas and the policy as resources. */
export function addResources(server: McpServer, ctx: Context): void {
  for (const topic of helpTopics) {
    server.registerResource(
      `help-${topic}`,
      `ucctl://help/${topic}`,
      { title: `Help: ${topic}`, mimeType: 'text/plain' },
      async (uri, { mcpReq }) =>
        textResource(uri, 'text/plain', await outputOf(ctx, ['help', topic], mcpReq.signal)),
    );
  }
  server.registerResource(
    'policy',
    'ucctl://policy',
    { title: 'Settings with the origin of each value, including the policy', mimeType: 'application/json' },
    async (uri, { mcpReq }) =>
      textResource(uri, 'application/json', await outputOf(ctx, ['config', 'list'], mcpReq.signal)),
  );
  server.registerResource(
    'schema',
    new ResourceTemplate('ucctl://schema/{command}', { list: undefined }),
    { title: 'JSON Schema of a command, e.g. ucctl://schema/queue%20list', mimeType: 'application/json' },
    async (uri, { command }, { mcpReq }) => {
      const words = decoded(String(command)).split(' ');
      return textResource(
        uri,
        'application/json',
        await outputOf(ctx, ['schema', '--', ...words], mcpReq.signal),
      );
    },
  );
}

/** @throws {ProtocolError} for an invalid percent encoding. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'the URI of the resource contains an invalid percent encoding',
    );
  }
}

/** @throws {ProtocolError} when the command fails. */
async function outputOf(ctx: Context, words: readonly string[], signal: AbortSignal): Promise<string> {
  const { exit, result, error } = await runNested(ctx, words, { signal });
  if (exit !== 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, messageIn(error));
  return typeof result === 'string' ? result : JSON.stringify(result, undefined, 2);
}

function messageIn(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : 'the resource cannot be read';
}

function textResource(
  uri: URL,
  mimeType: string,
  text: string,
): { contents: { uri: string; mimeType: string; text: string }[] } {
  return { contents: [{ uri: uri.href, mimeType, text }] };
}
