import { describe, expect, it } from 'vitest';
import {
  ClientClosedError,
  createClient,
  OutcomeUnknownError,
  systemTiming,
  type Timing,
} from '../../src/client/index.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { untilAborted } from '../../src/platform/aborted.ts';
import { deferred } from '../support/deferred.ts';
import { serveHttp } from '../support/serve-http.ts';
import { slowTokens } from '../support/slow-tokens.ts';

const sms = { from: { phoneNumber: '+15550000001' }, to: [{ phoneNumber: '+15550000002' }], text: 'x' };

const failureOf = (sent: Promise<unknown>): Promise<unknown> => sent.catch((error: unknown) => error);

describe('after close, a client sends no request', () => {
  it('that waited for the token', async () => {
    const { url, seen } = await serveHttp((_request, response) => response.end('{"id":7}'));
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
    const { url, seen } = await serveHttp((_request, response) => response.writeHead(401).end());
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
    const { url, seen } = await serveHttp((_request, response) => {
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

it('does not wait for a token source that does not answer', async () => {
  const { tokens, asked } = slowTokens();
  const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: tokens });
  const sent = failureOf(client.messages.sendSms(sms));
  await asked.current.promise;
  await client.close();
  expect(await sent).toBeInstanceOf(ClientClosedError);
});

describe('a large file', () => {
  const size = 8_000_000;
  const file = () => serveHttp((_request, response) => void response.end(Buffer.alloc(size)));

  it('that nobody reads does not keep the client open', async () => {
    const { url } = await file();
    const client = createClient({ baseUrl: url, token: 'token' });
    const reply = await client.media.open(`${url}/file`);
    await client.close();
    await expect(reply.text()).rejects.toThrow(ClientClosedError);
  });

  it('whose reply arrives while the client is closed does not keep it open', async () => {
    const arrived = deferred();
    const closing = deferred();
    const { url } = await serveHttp((_request, response) => {
      arrived.resolve();
      void closing.promise.then(() => response.end(Buffer.alloc(size)));
    });
    const client = createClient({ baseUrl: url, token: 'token' });
    const opened = client.media.open(`${url}/file`);
    await arrived.promise;
    const closed = client.close();
    closing.resolve();
    await closed;
    await expect(opened.then((reply) => reply.text())).rejects.toThrow(ClientClosedError);
  });

  it('is read to its end although the client is closed meanwhile', async () => {
    const { url } = await file();
    const client = createClient({ baseUrl: url, token: 'token' });
    const reply = await client.media.open(`${url}/file`);
    const text = reply.text();
    await client.close();
    expect((await text).length).toBe(size);
  });
});

it('a change without a reply is reported as possibly made if the client is closed before its retry', async () => {
  const { url, seen } = await serveHttp((request) => request.socket.destroy());
  const client = createClient({ baseUrl: url, token: 'token', onWait: () => void client.close() });
  const sent = client.transport.send({ method: 'PUT', path: '/x', body: {} });
  await expect(sent).rejects.toThrow(OutcomeUnknownError);
  expect(seen).toEqual(['PUT /x']);
});

it.each([429, 503])('close ends the wait after a reply with HTTP %i', async (status) => {
  const { url, seen } = await serveHttp((_request, response) => response.writeHead(status).end());
  const timing: Timing = {
    ...systemTiming,
    // This wait ends only with the signal.
    async sleep(_milliseconds, signal) {
      if (!signal) throw new Error('the wait has no signal');
      await untilAborted(signal);
      throw signal.reason as Error;
    },
  };
  const client = createClient({ baseUrl: url, token: 'token', timing, onWait: () => void client.close() });
  await expect(client.presence.get('~')).rejects.toThrow(ClientClosedError);
  expect(seen).toHaveLength(1);
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
