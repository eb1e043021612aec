import { once } from 'node:events';
import { expect, it } from 'vitest';
import { isJsonObject, parseJson } from '../../../src/platform/json.ts';
import { eventually } from '../../support/eventually.ts';
import { open, startUcctl } from '../../support/process.ts';
import { temporaryFolder } from '../../support/temporary.ts';

interface Row {
  readonly name: string;
  readonly uri: string;
}

interface Result {
  readonly status: string;
  readonly result: readonly Row[];
}

const startMessages = [
  {
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'a test', version: '1' },
    },
  },
  { method: 'notifications/initialized' },
];

type Started = ReturnType<typeof startUcctl>;

/** Calls one tool, and returns its result. */
async function callTool({ child }: Started, params: object): Promise<Result> {
  let lines = '';
  child.stdout.on('data', (piece: string) => (lines += piece));
  for (const message of [...startMessages, { id: 2, method: 'tools/call', params }])
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  return eventually(() => {
    const replies = lines.split('\n').flatMap((line) => (line === '' ? [] : [parseJson(line)]));
    const reply = replies.find((one) => isJsonObject(one) && one['id'] === 2) as
      | { readonly result: { readonly structuredContent: Result } }
      | undefined;
    if (!reply) throw new Error(`no reply to the tool call; output: ${lines}`);
    return reply.result.structuredContent;
  });
}

const listQueues = {
  name: 'queue_read',
  arguments: { command: 'queue list', output_fields: ['name', 'uri'] },
};

it.each([
  ['spec', {}],
  ['current', {}],
  // A variable of sandbox env, whose sandbox is another one.
  ['spec', { UCCTL_SANDBOX_USERNAME: '+16505550100' }],
])('mcp --sandbox serves a fresh sandbox of dialect %s until the client ends', async (dialect, variables) => {
  const env = { HOME: temporaryFolder(), UCCTL_DIALECT: dialect, ...variables };
  const started = startUcctl(['mcp', '--sandbox'], { env, input: open });
  const { result: rows } = await callTool(started, listQueues);
  expect(rows.map(({ name }) => name)).toContain('Support');
  const origin = new URL(rows[0]?.uri ?? '').origin;
  started.child.stdin.end();
  expect(await started.ended).toMatchObject({ exit: 0 });
  await expect(fetch(`${origin}/`)).rejects.toThrow('fetch failed');
});

it('without a dialect, mcp --sandbox serves dialect current, in which each tool works', async () => {
  const started = startUcctl(['mcp', '--sandbox'], { env: { HOME: temporaryFolder() }, input: open });
  const listHours = { name: 'call_handling_read', arguments: { command: 'hours list' } };
  expect(await callTool(started, listHours)).toMatchObject({ status: 'done', result: [{ name: 'Company' }] });
  started.child.stdin.end();
  expect(await started.ended).toMatchObject({ exit: 0 });
});

it('mcp exits if the client closes only the output', async () => {
  const { child, ended } = startUcctl(['mcp'], { env: { HOME: temporaryFolder() }, input: open });
  const replied = once(child.stdout, 'data');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...startMessages[0] })}\n`);
  await replied;
  child.stdout.destroy();
  expect(await ended).toMatchObject({ exit: 0, signal: null });
});
