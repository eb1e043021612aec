import { Client, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { LineQueue } from '../../src/platform/line-queue.ts';
import type { Office } from '../commands/office.ts';
import { runUcctl, type RunOptions, type RunResult } from './run-ucctl.ts';

/** The answer of the user to a question of the server. */
export type Answer = 'confirm' | 'decline' | 'cancel' | 'unchecked';

export interface ConnectOptions extends RunOptions {
  readonly argv?: readonly string[];
  /** The office whose administrator is signed in; by default nobody is. */
  readonly office?: Office;
  /** Answers the questions; without it, the client cannot ask the user. */
  readonly answer?: (question: string) => Answer | Promise<Answer>;
  /** `auto` asks for the newest protocol; by default the client begins with `initialize`, as older clients do. */
  readonly mode?: 'auto' | 'legacy';
}

export interface Connection {
  readonly client: Client;
  /** Everything that the server wrote. */
  readonly output: () => string;
  /** Closes the connection and returns the result of the command. */
  readonly close: () => Promise<RunResult>;
}

/** Runs `ucctl mcp` in this process and connects the SDK's own client to it. The caller must close the connection. */
export async function connect(options: ConnectOptions = {}): Promise<Connection> {
  const { argv = ['mcp'], answer, mode = 'legacy', office, ...run } = options;
  const input = new LineQueue<string>();
  let rest = '';
  let written = '';
  const transport: Transport = {
    start: () => Promise.resolve(),
    send: (message) => {
      input.add(JSON.stringify(message));
      return Promise.resolve();
    },
    close: () => {
      input.end();
      transport.onclose?.();
      return Promise.resolve();
    },
  };
  const ended = (office?.run ?? runUcctl)(argv, {
    nouns: undefined,
    ...run,
    stdinLines: input,
    onStdout: (text) => {
      written += text;
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    },
  });
  const client = new Client(
    { name: 'test-agent', version: '1.2.3' },
    { capabilities: answer ? { elicitation: { form: {} } } : {}, versionNegotiation: { mode } },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', async (request) => {
      const chosen = await answer(request.params.message);
      if (chosen === 'decline' || chosen === 'cancel') return { action: chosen };
      return { action: 'accept', content: { confirm: chosen === 'confirm' } };
    });
  }
  let closed: Promise<RunResult> | undefined;
  const close = (): Promise<RunResult> =>
    (closed ??= (async () => {
      await client.close();
      return ended;
    })());
  await Promise.race([
    client.connect(transport),
    ended.then(({ stderr }) => {
      throw new Error(`ucctl mcp ended: ${stderr}`);
    }),
  ]);
  return { client, output: () => written, close };
}
