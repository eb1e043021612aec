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

const messages = [
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
  {
    id: 2,
    method: 'tools/call',
    params: { name: 'queue_read', arguments: { command: 'queue list', output_fields: ['name', 'uri'] } },
  },
];

it.each([
  ['spec', {}],
  ['current', {}],
  // A variable of sandbox env, whose sandbox is another one.
  ['spec', { UCCTL_SANDBOX_USERNAME: '+16505550100' }],
])('mcp --sandbox serves a fresh sandbox of dialect %s until the client ends', async (dialect, variables) => {
  const env = { HOME: temporaryFolder(), UCCTL_DIALECT: dialect, ...variables };
  const { child, ended } = startUcctl(['mcp', '--sandbox'], { env, input: open });
  let lines = '';
  child.stdout.on('data', (piece: string) => (lines += piece));
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const rows = await eventually(() => {
    const replies = lines.split('\n').flatMap((line) => (line === '' ? [] : [parseJson(line)]));
    const reply = replies.find((one) => isJsonObject(one) && one['id'] === 2) as
      | { readonly result: { readonly structuredContent: { readonly result: readonly Row[] } } }
      | undefined;
    if (!reply) throw new Error(`no reply to the tool call; output: ${lines}`);
    return reply.result.structuredContent.result;
  });
  expect(rows.map(({ name }) => name)).toContain('Support');
  const origin = new URL(rows[0]?.uri ?? '').origin;
  child.stdin.end();
  expect(await ended).toMatchObject({ exit: 0 });
  await expect(fetch(`${origin}/`)).rejects.toThrow('fetch failed');
});

it('mcp exits if the client closes only the output', async () => {
  const { child, ended } = startUcctl(['mcp'], { env: { HOME: temporaryFolder() }, input: open });
  const replied = once(child.stdout, 'data');
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...messages[0] })}\n`);
  await replied;
  child.stdout.destroy();
  expect(await ended).toMatchObject({ exit: 0, signal: null });
});
