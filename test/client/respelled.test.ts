import { expect, it } from 'vitest';
import { buildClient, ConnectionError, type HttpRequest } from '../../src/client/index.ts';

function broken() {
  const sent: HttpRequest[] = [];
  const client = buildClient({
    baseUrl: new URL('https://service.example'),
    http: (request) => {
      sent.push(request);
      return Promise.reject(new ConnectionError('ECONNRESET', 'unknown', request.url.origin, undefined));
    },
    tokens: { current: () => Promise.resolve('t'), renew: () => Promise.resolve('t') },
    userAgent: 'test',
    timeoutMilliseconds: 1000,
    timing: { now: () => 0, sleep: () => Promise.resolve(), random: () => 0 },
  });
  return { client, sent };
}

it.each(['message-store', 'message%2Dstore', '%6Dessage-store', 'Message-Store', 'message%252Dstore'])(
  'spec:CLIENT-2 a DELETE below %s is sent once',
  async (word) => {
    const { client, sent } = broken();
    const path = `/restapi/v1.0/account/~/extension/~/${word}/12`;
    await expect(client.transport.send({ method: 'DELETE', path })).rejects.toThrow('no reply');
    expect(sent).toHaveLength(1);
  },
);

it('unnecessary escapes are removed on the wire', async () => {
  const { client, sent } = broken();
  const path = '/restapi/v1.0/account/%7e/s%6ds';
  await expect(client.transport.send({ method: 'POST', path, once: true })).rejects.toThrow('no reply');
  expect(sent[0]?.url.pathname).toBe('/restapi/v1.0/account/~/sms');
});
