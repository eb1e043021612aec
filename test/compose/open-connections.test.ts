import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { eventually } from '../support/eventually.ts';
import { connect } from '../support/mcp-connection.ts';
import { signInAs } from '../support/sandbox.ts';

/** Returns the connections that servers of this process accept from now on, until the test ends. */
function acceptedConnections(): readonly Socket[] {
  const accepted: Socket[] = [];
  const add = (message: unknown): void => void accepted.push((message as { readonly socket: Socket }).socket);
  subscribe('net.server.socket', add);
  onTestFinished(() => void unsubscribe('net.server.socket', add));
  return accepted;
}

it('a tool call closes its connections to the service', async () => {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, 'administrator') };
  const accepted = acceptedConnections();
  const { client, close } = await connect({ env });
  onTestFinished(async () => void (await close()));
  for (let call = 0; call < 3; call += 1) {
    const reply = await client.callTool({ name: 'queue_read', arguments: { command: 'queue list' } });
    expect(reply.isError).toBeFalsy();
  }
  expect(accepted.length).toBeGreaterThan(0);
  await eventually(() => expect(accepted.filter(({ destroyed }) => !destroyed)).toHaveLength(0));
});
