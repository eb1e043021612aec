import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  ApiError,
  ClientClosedError,
  ConnectionError,
  createClient,
  DryRunStop,
  OutcomeUnknownError,
  ReplyError,
  SignInRequiredError,
  buildClient,
  type AccessTokenSource,
  type Call,
  type Client,
  type HttpSend,
} from '../../src/client/index.ts';
import { createUndiciHttp } from '../../src/client/undici-http.ts';
import { fakeReply, fakeService, fakeTiming, plainSettings } from '../support/fake-service.ts';

const cleanup: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const done of cleanup.splice(0)) await done();
});

type Answer = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** A server on this machine that answers as configured and records what it was asked. */
async function serve(answer: Answer) {
  const seen: { method: string; url: string; headers: IncomingMessage['headers']; body: string }[] = [];
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      seen.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      answer(request, response, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanup.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function json(
  response: ServerResponse,
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof value === 'string' ? value : JSON.stringify(value));
}

function client(baseUrl: string, token: string | AccessTokenSource = 'first', timeoutMilliseconds = 60_000) {
  const made = createClient({ baseUrl, token, timeoutMilliseconds, retries: 0 });
  cleanup.push(() => made.close());
  return made;
}

function renewing(): AccessTokenSource & { readonly rejected: string[] } {
  const rejected: string[] = [];
  return {
    rejected,
    current: () => Promise.resolve('first'),
    renew: (token) => {
      rejected.push(token);
      return Promise.resolve(`newer-${rejected.length}`);
    },
  };
}

const sms = { from: { phoneNumber: '+15550000001' }, to: [{ phoneNumber: '+15550000002' }], text: 'x' };
const presence = { id: 1, presenceStatus: 'Available' };
const sms401 = { errorCode: 'TokenInvalid', message: 'Access token corrupted' };

describe('a rejected token', () => {
  it('is renewed once, and the request repeated', async () => {
    const { url, seen } = await serve((request, response) =>
      request.headers.authorization === 'Bearer first'
        ? json(response, 401, sms401)
        : json(response, 200, { id: 7 }),
    );
    const tokens = renewing();
    await client(url, tokens).messages.sendSms(sms);
    expect(tokens.rejected).toEqual(['first']);
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer first', 'Bearer newer-1']);
    expect(seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual([sms, sms]);
  });

  it('that is rejected again is reported and not renewed again', async () => {
    const { url, seen } = await serve((_, response) => json(response, 401, sms401));
    const tokens = renewing();
    const failure = await client(url, tokens)
      .presence.get('~')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApiError);
    expect(failure).toMatchObject({ status: 401, code: 'TokenInvalid' });
    expect(seen).toHaveLength(2);
    expect(tokens.rejected).toHaveLength(1);
  });

  it('is renewed once for all requests that it was sent with', async () => {
    const { url, seen } = await serve((request, response) =>
      request.headers.authorization === 'Bearer newer-1'
        ? json(response, 200, presence)
        : json(response, 401, sms401),
    );
    let current = 'first';
    const rejected: string[] = [];
    const made = client(url, {
      current: () => Promise.resolve(current),
      renew: (token) => {
        current = `newer-${rejected.push(token)}`;
        return Promise.resolve(current);
      },
    });
    // More requests than connections, so that some are rejected after the renewal.
    await Promise.all(Array.from({ length: 50 }, () => made.presence.get('~')));
    expect(rejected).toEqual(['first']);
    expect(seen.length).toBeGreaterThan(50);
  });

  it.each([429, 503])(
    'is renewed again if another process renewed the session during the wait after a %i',
    async (status) => {
      let valid = 'second';
      const http: HttpSend = ({ headers }) => {
        if (headers['authorization'] !== `Bearer ${valid}`)
          return Promise.resolve(fakeReply({ status: 401, body: sms401 }));
        if (valid === 'third') return Promise.resolve(fakeReply({ status: 200, body: presence }));
        valid = 'third';
        return Promise.resolve(fakeReply({ status }));
      };
      const tokens = { current: () => Promise.resolve('first'), renew: () => Promise.resolve(valid) };
      const settings = { ...plainSettings, http, tokens, timing: fakeTiming() };
      expect(await buildClient(settings).presence.get('~')).toMatchObject(presence);
    },
  );

  it('that cannot be renewed requires a sign-in, with the rejection as its cause', async () => {
    const { url, seen } = await serve((_, response) => json(response, 401, sms401));
    const failure = await client(url, 'fixed')
      .presence.get('~')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(SignInRequiredError);
    expect((failure as Error).cause).toMatchObject({ status: 401 });
    expect(seen).toHaveLength(1);
  });
});

describe('a text whose reply is lost', () => {
  const cases: [string, Answer][] = [
    ['reset', (request) => request.socket.resetAndDestroy()],
    ['closed without a word', (request) => request.socket.destroy()],
    ['cut in the headers', (request) => request.socket.end('HTTP/1.1 200 OK\r\nContent-Le')],
    [
      'cut in the body',
      (request) => request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{"id"'),
    ],
    ['never answered', () => {}],
  ];
  it.each(cases)('(%s) has an unknown outcome and is not sent again', async (_, answer) => {
    const { url, seen } = await serve(answer);
    const failure = await client(url, 'first', 300)
      .messages.sendSms(sms)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutcomeUnknownError);
    expect(failure).toMatchObject({
      request: { method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms' },
    });
    expect(seen).toHaveLength(1);
  });

  it('was certainly not sent if nothing listens', async () => {
    const { url } = await serve(() => {});
    await cleanup.pop()?.();
    const failure = await client(url)
      .messages.sendSms(sms)
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED', reached: 'no' });
  });

  it('was certainly not sent if it was aborted during the renewal of the token', async () => {
    const stop = new AbortController();
    const { http, asked } = fakeService([{ status: 200, body: { id: 1 } }]);
    const current = (): Promise<string> => {
      stop.abort(new Error('interrupted'));
      return Promise.resolve('renewed');
    };
    const tokens = { ...plainSettings.tokens, current };
    const failure = await buildClient({ ...plainSettings, http, tokens })
      .messages.sendSms(sms, { signal: stop.signal })
      .catch((error: unknown) => error);
    expect(failure).toBe(stop.signal.reason);
    expect(asked).toEqual([]);
  });

  it.each([
    ['a text', (one: Client, signal: AbortSignal) => one.messages.sendSms(sms, { signal })],
    [
      'a presence',
      (one: Client, signal: AbortSignal) => one.presence.update('~', { message: 'x' }, { signal }),
    ],
  ])('%s may have been processed if it was aborted after it was sent', async (_, change) => {
    const stop = new AbortController();
    const { url } = await serve(() => stop.abort(new Error('interrupted')));
    const failure = await change(client(url), stop.signal).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OutcomeUnknownError);
    expect(failure).toMatchObject({ why: 'no reply', request: { path: expect.any(String) as string } });
    expect(Object.keys((failure as OutcomeUnknownError).request)).toEqual(['method', 'path']);
  });

  it('is sent on its own connection', async () => {
    const { url, seen } = await serve((_, response) => json(response, 200, presence));
    const one = client(url);
    await one.messages.sendSms(sms);
    await one.presence.get('~');
    expect(seen.map(({ headers }) => headers.connection)).toEqual(['close', 'keep-alive']);
  });
});

describe('failures of reads', () => {
  it('are connection errors, including timeouts', async () => {
    const { url } = await serve(() => {});
    const failure = await client(url, 'first', 300)
      .presence.get('~')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionError);
    expect(failure).toMatchObject({ code: 'TIMEOUT', reached: 'unknown' });
  });

  it('end with the reason of an abort', async () => {
    const { url } = await serve(() => {});
    const signal = AbortSignal.timeout(30);
    const failure = await client(url)
      .presence.get('~', {}, { signal })
      .catch((error: unknown) => error);
    expect(failure).toBe(signal.reason);
  });

  it('keep the message of the service', async () => {
    const { url } = await serve((_, response) =>
      json(
        response,
        403,
        {
          errorCode: 'InsufficientPermissions',
          message: 'needs [ReadPresence]',
          errors: [{ errorCode: 'CMN-401', message: 'm', permissionName: 'ReadPresence' }],
        },
        { 'x-request-id': 'r-1', 'retry-after': '7' },
      ),
    );
    const failure = await client(url)
      .presence.get('~')
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: 'ApiError',
      status: 403,
      code: 'InsufficientPermissions',
      message: 'needs [ReadPresence]',
      permissionName: 'ReadPresence',
      requestId: 'r-1',
      retryAfterSeconds: 7,
      errors: [{ errorCode: 'CMN-401' }],
    });
  });

  it.each([
    [502, '<html>bad gateway</html>', { name: 'ApiError', status: 502, code: 'HTTP-502' }],
    [
      400,
      '{"error":"invalid_grant","error_description":"Token expired"}',
      { code: 'invalid_grant', message: 'Token expired' },
    ],
    [404, '{"errorCode":"AGW-404","message":"Resource not found","errors":[]}', { code: 'AGW-404' }],
    [500, '[]', { code: 'HTTP-500' }],
  ])('are usable for HTTP %d with %s', async (status, body, expected) => {
    const { url } = await serve((_, response) => json(response, status, body));
    expect(
      await client(url)
        .presence.get('~')
        .catch((error: unknown) => error),
    ).toMatchObject(expected);
  });

  it('report a success that is not JSON', async () => {
    const { url } = await serve((_, response) => json(response, 200, '<html>sign in to the Wi-Fi</html>'));
    const failure = await client(url)
      .presence.get('~')
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ReplyError);
  });
});

describe('requests', () => {
  it('contain the token, the query and no other headers', async () => {
    const { url, seen } = await serve((_, response) => json(response, 200, { presenceStatus: 'Available' }));
    await client(`${url}/gateway/`).presence.get(42, { detailedTelephonyState: true });
    expect(seen[0]).toMatchObject({
      method: 'GET',
      url: '/gateway/restapi/v1.0/account/~/extension/42/presence?detailedTelephonyState=true',
      body: '',
      headers: { authorization: 'Bearer first', accept: 'application/json' },
    });
    expect(seen[0]?.headers['content-type']).toBeUndefined();
  });

  it('read long ids whole', async () => {
    const { url } = await serve((_, response) => json(response, 200, '{"id":8031152018338945839,"n":12}'));
    expect(await client(url).messages.get('8031152018338945839')).toMatchObject({
      id: '8031152018338945839',
      n: 12,
    });
  });

  it('that make changes are not sent in a dry run', async () => {
    const { url, seen } = await serve((_, response) => json(response, 200, { presenceStatus: 'Busy' }));
    const http = createUndiciHttp();
    cleanup.push(() => http.close());
    const dry = buildClient({
      baseUrl: new URL(url),
      http: http.send,
      tokens: renewing(),
      userAgent: 'test',
      timeoutMilliseconds: 1000,
      dryRun: true,
    });
    await dry.presence.get('~');
    const stop = await dry.messages.sendSms(sms).catch((error: unknown) => error);
    expect(stop).toBeInstanceOf(DryRunStop);
    expect((stop as DryRunStop).request).toEqual({
      method: 'POST',
      url: `${url}/restapi/v1.0/account/~/extension/~/sms`,
      body: sms,
    });
    expect(seen).toHaveLength(1);
  });

  it('that another origin rejects after a redirect do not renew the token', async () => {
    const elsewhere = await serve((_, response) => json(response, 401, { errorCode: 'X' }));
    const service = await serve((_, response) => {
      response.writeHead(302, { location: `${elsewhere.url}/x` }).end();
    });
    let renewals = 0;
    const token: AccessTokenSource = {
      current: () => Promise.resolve('first'),
      renew: () => {
        renewals += 1;
        return Promise.resolve('second');
      },
    };
    const api = client(service.url, token);
    const call = { method: 'GET', path: '/restapi/v1.0/account/~/extension/~' } as const;
    await expect(api.transport.send(call)).rejects.toMatchObject({
      name: 'ReplyError',
      message: expect.stringContaining(new URL(elsewhere.url).host),
    });
    expect(renewals).toBe(0);
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('do not send the token to another origin after a redirect', async () => {
    const elsewhere = await serve((_, response) => json(response, 200, {}));
    const { url } = await serve((_, response) => {
      response.writeHead(302, { location: elsewhere.url }).end();
    });
    await client(url)
      .presence.get('~')
      .catch(() => undefined);
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });
});

it.each(['get', undefined])('the method %s is rejected, and nothing is sent', async (method) => {
  const { url, seen } = await serve((_, response) => json(response, 200, {}));
  const call = { method, path: '/restapi/v1.0/account/~' } as unknown as Call;
  await expect(client(url).transport.send(call)).rejects.toThrow(
    `method "${method}" must be one of GET, POST, PUT, PATCH, DELETE`,
  );
  expect(seen).toEqual([]);
});

describe('a path', () => {
  it.each(['//127.0.0.2:9/x', 'http://127.0.0.2:9/x', '/\\127.0.0.2:9/x', 'https://127.0.0.1/x'])(
    'of another origin gets no token, and nothing is sent: %s',
    async (path) => {
      const { url, seen } = await serve((_, response) => json(response, 200, { records: [] }));
      const { transport } = client(url);
      await expect(transport.send({ method: 'GET', path })).rejects.toThrow('does not belong to the service');
      await expect(transport.send({ method: 'POST', path, once: true })).rejects.toThrow(
        'does not belong to the service',
      );
      expect(seen).toEqual([]);
    },
  );
});

it.each([{}, { records: 7 }, 'null'])('a body that is not a list is a ReplyError: %j', async (body) => {
  const { url } = await serve((_, response) => json(response, 200, body));
  const pages = client(url).pages({ method: 'GET', path: '/restapi/v1.0/x' });
  await expect(pages[Symbol.asyncIterator]().next()).rejects.toThrow('list of records');
});

it.each([{}, { records: 7 }])(
  'a body that is not a list is a ReplyError without pages, too: %j',
  async (body) => {
    const { url } = await serve((_, response) => json(response, 200, body));
    const { subscriptions, chatWebhooks, callLog } = client(url);
    for (const list of [subscriptions.list(), chatWebhooks.list(), callLog.active('account')])
      await expect(list).rejects.toThrow('list of records');
  },
);

it.each([
  [500, 'the service replied with HTTP 500'],
  [302, 'the service replied with HTTP 302 and a redirect, which ucctl does not follow'],
])('a reply of %i is not reported as missing', async (status, why) => {
  const { url } = await serve((_, response) => json(response, status, {}));
  await expect(client(url).messages.sendSms(sms)).rejects.toMatchObject({ why });
});

describe('the library called from JavaScript', () => {
  const answering = () =>
    serve((_request, response) => json(response, 200, { id: 1, presenceStatus: 'Busy' }));

  it.each([undefined, '', 'canary\nsecond', 7])('sends nothing with %j as the token', async (token) => {
    const { url, seen } = await answering();
    const source = { current: () => Promise.resolve(token), renew: () => Promise.resolve(token) };
    const failed = client(url, source as AccessTokenSource).presence.get('~');
    await expect(failed).rejects.toThrow(/^the token (is empty|contains spaces)/);
    await expect(failed).rejects.not.toThrow(/canary/);
    expect(seen).toEqual([]);
  });

  it.each([undefined, 'restapi/v1.0/x', 'https://elsewhere.test/x'])('rejects %j as a path', async (path) => {
    const { url, seen } = await answering();
    const { transport } = client(url);
    const sent = async () => transport.send({ method: 'GET', path } as Call);
    await expect(sent()).rejects.toThrow(/must begin with a single \/$/);
    expect(seen).toEqual([]);
  });

  it.each([undefined, '..', '\ud800'])('rejects %j as an id', async (id) => {
    const { url, seen } = await answering();
    const get = async () => client(url).presence.get(id as string);
    await expect(get()).rejects.toThrow(RangeError);
    await expect(get()).rejects.toThrow('is not a valid path segment');
    expect(seen).toEqual([]);
  });

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])(
    'rejects %s as a timeout',
    async (timeoutMilliseconds) => {
      const { url, seen } = await answering();
      const made = client(url);
      for (const sent of [
        made.presence.get('~', {}, { timeoutMilliseconds }),
        made.media.open(`${url}/x`, { timeoutMilliseconds }),
      ])
        await expect(sent).rejects.toThrow(
          new RangeError('timeoutMilliseconds must be a number of at least 0'),
        );
      expect(seen).toEqual([]);
    },
  );

  it.each(['userAgent', 'language'])('rejects %s with a line break', (name) => {
    const options = { baseUrl: 'http://127.0.0.1:1', token: 'x', [name]: 'a\nb' };
    expect(() => createClient(options)).toThrow(
      new RangeError(`${name} contains line breaks or non-ASCII characters`),
    );
  });

  it('sends each header once, and its own token, however a name is written', async () => {
    const { url, seen } = await answering();
    const headers = { Authorization: 'Bearer other', 'X-Trace': '7', Accept: 'text/plain' };
    await client(url).transport.send({ method: 'GET', path: '/x', headers });
    expect(seen[0]?.headers).toMatchObject({
      authorization: 'Bearer first',
      'x-trace': '7',
      accept: 'text/plain',
    });
  });

  it('can be closed more than once, and reports later use afterwards', async () => {
    const { url, seen } = await answering();
    const made = createClient({ baseUrl: url, token: 'first' });
    await made.presence.get('~');
    await Promise.all([made.close(), made.close()]);
    await made.close();
    const text = { from: { phoneNumber: '+15550000001' }, to: [{ phoneNumber: '+15550000002' }], text: 'x' };
    await expect(made.messages.sendSms(text)).rejects.toThrow(/^the client is closed; create a new client$/);
    await expect(made.presence.get('~')).rejects.toThrow(/^the client is closed; create a new client$/);
    expect(seen).toHaveLength(1);
  });

  it('closed during the wait for a retry, did not send a text', async () => {
    const made = createClient({
      baseUrl: 'http://127.0.0.1:9',
      token: 'first',
      timing: fakeTiming(),
      // The wait of the first retry, after a refused connection.
      onWait: () => void made.close(),
    });
    const sent = made.messages.sendSms(sms);
    await expect(sent).rejects.toThrow(new ClientClosedError());
  });
});

it.each([
  ['https://media.test/content/1', undefined],
  ['http://127.0.0.2/content/1', 'Bearer first'],
])(
  'a media host of a service on this machine, %s, gets %s: the token is sent only with the protocol of the service',
  async (uri, token) => {
    const { http, asked } = fakeService([{ status: 200, body: 'x' }]);
    const { media } = buildClient({
      ...plainSettings,
      baseUrl: new URL('http://127.0.0.1:1'),
      tokens: renewing(),
      mediaHosts: ['media.test', '127.0.0.2'],
      http,
    });
    await media.open(uri);
    expect(asked[0]?.headers['authorization']).toBe(token);
  },
);

it.each([
  ['http://[bad', 'with an invalid address'],
  ['http://user:canary@127.0.0.1/x', 'to a URL with a user name'],
  ['ftp://media.test/x', 'from https to http, which ucctl does not follow'],
])('a redirect to %s is reported with the reason why it is not followed', async (location, why) => {
  const { url } = await serve((_request, response) => response.writeHead(302, { location }).end());
  const failed = client(url).transport.send({ method: 'GET', path: '/x' });
  await expect(failed).rejects.toThrow(`HTTP 302 with a redirect ${why}`);
  await expect(failed).rejects.not.toThrow(/canary/);
});

it('the error for the target of a redirect that does not reply names both hosts', async () => {
  const location = 'http://127.0.0.1:1/login';
  const { url } = await serve((_request, response) => response.writeHead(302, { location }).end());
  const failed = client(url).transport.send({ method: 'GET', path: '/x' });
  await expect(failed).rejects.toMatchObject({
    name: 'ConnectionError',
    message: `no reply from http://127.0.0.1:1, to which ${url} redirected the request (ECONNREFUSED)`,
    redirectedFrom: url,
  });
});

it('the error for a redirect that is not followed names its target', async () => {
  const location = 'https://user:canary@wifi.test/login?canary';
  const { url } = await serve((_request, response) => response.writeHead(302, { location }).end());
  const failed = client(url).transport.send({ method: 'PUT', path: '/x' });
  await expect(failed).rejects.toThrow('a redirect to https://wifi.test, which ucctl does not follow');
  await expect(failed).rejects.not.toThrow(/canary/);
});
