import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  ClientClosedError,
  createClient,
  OutcomeUnknownError,
  type AccessTokenSource,
} from '../../src/client/index.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { deferred } from '../support/deferred.ts';

const sms = { from: { phoneNumber: '+15550000001' }, to: [{ phoneNumber: '+15550000002' }], text: 'x' };

/** A service on this machine that lists the requests it received. */
async function serve(answer: RequestListener) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const failureOf = (sent: Promise<unknown>): Promise<unknown> => sent.catch((error: unknown) => error);

/** A token source whose tokens arrive when the test provides them. */
function slowTokens() {
  const first = deferred<string>();
  const asked = { current: deferred(), renew: deferred() };
  const newer = deferred<string>();
  const tokens: AccessTokenSource = {
    current: () => {
      asked.current.resolve();
      return first.promise;
    },
    renew: () => {
      asked.renew.resolve();
      return newer.promise;
    },
  };
  return { tokens, asked, first, newer };
}

describe('after close, a client sends no request', () => {
  it('that waited for the token', async () => {
    const { url, seen } = await serve((_request, response) => response.end('{"id":7}'));
    const { tokens, asked, first } = slowTokens();
    const client = createClient({ baseUrl: url, token: tokens });
    const sent = failureOf(client.messages.sendSms(sms));
    await asked.current.promise;
    await client.close();
    first.resolve('first');
    expect(await sent).toBeInstanceOf(ClientClosedError);
    expect(seen).toEqual([]);
  });

  it('whose token was rejected, and waited for a newer token', async () => {
    const { url, seen } = await serve((_request, response) => response.writeHead(401).end());
    const { tokens, asked, first, newer } = slowTokens();
    first.resolve('first');
    const client = createClient({ baseUrl: url, token: tokens });
    const sent = failureOf(client.messages.sendSms(sms));
    await asked.renew.promise;
    await client.close();
    newer.resolve('newer');
    expect(await sent).toBeInstanceOf(ClientClosedError);
    expect(seen).toHaveLength(1);
  });

  it('to the target of a redirect', async () => {
    const arrived = deferred();
    const closing = deferred();
    const { url, seen } = await serve((_request, response) => {
      arrived.resolve();
      void closing.promise.then(() => response.writeHead(307, { location: '/elsewhere' }).end());
    });
    const client = createClient({ baseUrl: url, token: 'token', retries: 0 });
    const read = failureOf(client.presence.get('~'));
    await arrived.promise;
    const closed = client.close();
    closing.resolve();
    expect(await read).toBeInstanceOf(ClientClosedError);
    await closed;
    expect(seen).toHaveLength(1);
  });
});

it('a change without a reply is reported as possibly made if the client is closed before its retry', async () => {
  const { url, seen } = await serve((request) => request.socket.destroy());
  const client = createClient({ baseUrl: url, token: 'token', onWait: () => void client.close() });
  const sent = client.transport.send({ method: 'PUT', path: '/x', body: {} });
  await expect(sent).rejects.toThrow(OutcomeUnknownError);
  expect(seen).toEqual(['PUT /x']);
});

it('a closed network reports a request as not sent', async () => {
  const network = createUndiciHttp();
  await network.close();
  let isUnsent = false;
  const sent = network.send({
    method: 'POST',
    url: new URL('http://127.0.0.1:9'),
    headers: {},
    timeoutMilliseconds: 1000,
    onUnsent: () => (isUnsent = true),
  });
  await expect(sent).rejects.toThrow(ClientClosedError);
  expect(isUnsent).toBe(true);
});
