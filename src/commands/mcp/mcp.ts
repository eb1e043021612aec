import { CommandError, Exit } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import { allowedTools } from './allowed-tools.ts';
import { CallLog } from './call-log.ts';
import { Plans } from './plans.ts';
import { isInSandbox, serveInSandbox, signInToSandbox } from './sandbox.ts';
import { toolsOf } from './tools.ts';

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
  const allowed = allowedTools(ctx, toolsOf(await ctx.commands()), sandbox);
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
  const parts = { ctx, plans: new Plans(() => ctx.now()), log, ...allowed };
  const handle = serveStdio(() => createServer(parts), {
    transport,
    onerror: (error) => ctx.out.warn(`mcp: ${error.message}`),
  });
  const stop = (): void => void handle.close();
  ctx.signal.addEventListener('abort', stop, { once: true });
  await transport.closed;
  ctx.signal.throwIfAborted();
}
