import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startServer } from '../../src/platform/start-server.ts';

it('reports the first connection that cannot be accepted, and continues to serve', async () => {
  const server = createServer((_request, response) => response.end('served'));
  onTestFinished(() => void server.close());
  const problems: string[] = [];
  await startServer(server, { port: 0, host: '127.0.0.1' }, (problem) => void problems.push(problem));
  for (const code of ['EMFILE', 'ENOBUFS']) server.emit('error', new Error(`accept ${code}`));
  expect(problems).toEqual(['cannot accept all connections (accept EMFILE); the server continues to run']);
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('served');
});

it('rejects if the port is in use', async () => {
  const [first, second] = [createServer(), createServer()];
  onTestFinished(() => void first.close());
  await startServer(first, { port: 0, host: '127.0.0.1' });
  const { port } = first.address() as AddressInfo;
  await expect(startServer(second, { port, host: '127.0.0.1' })).rejects.toMatchObject({
    code: 'EADDRINUSE',
  });
});
