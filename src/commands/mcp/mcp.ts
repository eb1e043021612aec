import { CommandError, Exit } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import { CallLog } from './call-log.ts';
import { Plans } from './plans.ts';
import { isInSandbox, serveInSandbox, signInToSandbox } from './sandbox.ts';
import { type Tool, toolsOf } from './tools.ts';

export interface McpOptions {
  readonly sandbox?: boolean;
}

/** `ucctl mcp`: serves the tools until the client closes the connection. */
export async function serveMcp(ctx: Context, { sandbox = false }: McpOptions): Promise<void> {
  if (sandbox && !isInSandbox(ctx)) return serveInSandbox(ctx);
  if (ctx.input.isTerminal) {
    throw new CommandError(
      'input_needed',
      Exit.blocked,
      'ucctl mcp is started by an agent program, which writes to its standard input',
      { hint: 'add ucctl to the configuration of your agent program: command "ucctl", arguments ["mcp"]' },
    );
  }
  if (sandbox) await signInToSandbox(ctx);
  const { tools, blocked } = allowedTools(ctx, toolsOf(await ctx.commands()), sandbox);
  const [{ createServer }, { serveStdio }, { LineTransport }] = await Promise.all([
    import('./server.ts'),
    import('@modelcontextprotocol/server/stdio'),
    import('./line-transport.ts'),
  ]);
  const transport = new LineTransport({
    lines: () => ctx.out.untilReaderGone(ctx.input.lines()),
    write: (text) => ctx.out.text(text),
  });
  const log = new CallLog(ctx);
  const parts = { ctx, plans: new Plans(() => ctx.now()), log, tools, blocked };
  const handle = serveStdio(() => createServer(parts), {
    transport,
    onerror: (error) => ctx.out.warn(`mcp: ${error.message}`),
  });
  const stop = (): void => void handle.close();
  ctx.signal.addEventListener('abort', stop, { once: true });
  await transport.closed;
  ctx.signal.throwIfAborted();
}

/**
 * Returns the tools that the profile allows, and the names of all other tools. A read-only profile has no tool that
 * changes the service.
 */
function allowedTools(
  { settings, out }: Context,
  tools: readonly Tool[],
  isSandbox: boolean,
): { readonly tools: readonly Tool[]; readonly blocked: readonly string[] } {
  const allowed = new Set(isSandbox ? ['*'] : settings.mcpAllow?.value);
  const names: ReadonlySet<string> = new Set(tools.map(({ name }) => name));
  const unknown = [...allowed].filter((name) => name !== '*' && !names.has(name));
  if (unknown.length > 0) out.warn(`mcp-allow names tools that do not exist: ${unknown.join(', ')}`);
  const isReadOnly = settings.readOnly?.value === true;
  const isAllowed = ({ name, access }: Tool): boolean => {
    if (access === 'read') return true;
    if (isReadOnly && access !== 'local') return false;
    return allowed.has('*') || allowed.has(name);
  };
  return {
    tools: tools.filter(isAllowed),
    blocked: tools.filter((tool) => !isAllowed(tool)).map(({ name }) => name),
  };
}
