import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../support/free-port.ts';
import { openOffice } from '../office.ts';
import { eventsIn, live, sendText } from './listening.ts';

/** A reverse proxy in front of a listener. It forwards the path that `pathFor` returns, and the Host `host`. */
async function openProxy(
  port: number,
  { pathFor = (path: string) => path, host }: { pathFor?: (path: string) => string; host?: string },
): Promise<string> {
  const proxy = createServer((request, response) => {
    const forwarded = send({
      host: '127.0.0.1',
      port,
      method: request.method,
      path: pathFor(request.url ?? '/'),
      headers: { ...request.headers, ...(host !== undefined && { host }), 'x-forwarded-proto': 'https' },
      agent: false,
    });
    forwarded.on('response', (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(response);
    });
    request.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/hooks`;
}

describe('a listener behind a reverse proxy with a path', () => {
  it.each([
    ['keeps the path of the public address', (path: string) => path],
    ['removes it', (path: string) => path.replace('/hooks', '')],
  ])('receives events if the proxy %s', async (_, pathFor) => {
    const office = await openOffice();
    const port = await freePort();
    const url = await openProxy(port, { pathFor });
    const { result } = await live(office, `webhook listen --count 1 --port ${port} --public-url ${url}`);
    await office.run(sendText);
    const { exit, stdout } = await result;
    expect([exit, eventsIn(stdout)]).toMatchObject([0, [{ body: { changes: [{ type: 'SMS' }] } }]]);
  });

  it.each([
    [{ host: 'backend' }, 'with the Host header "backend"; let the proxy send the host of --public-url'],
    [{ pathFor: () => '/other' }, 'on another path; let the proxy forward the path after --public-url'],
  ])('names the reason if it rejects the handshake: %j', async (change, reason) => {
    const office = await openOffice();
    const port = await freePort();
    const url = await openProxy(port, change);
    const { exit, stderr } = await office.run(`webhook listen --port ${port} --public-url ${url}`);
    expect([exit, stderr]).toEqual([1, expect.stringContaining(reason)]);
  });
});
