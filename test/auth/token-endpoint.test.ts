import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { requestToken, revokeToken, type TokenEndpoint } from '../../src/auth/token-endpoint.ts';
import type { HttpReply, HttpRequest, HttpSend } from '../../src/client/index.ts';
import { fakeReply } from '../support/fake-service.ts';

const grant = { type: 'password', username: '+16505550100', extension: '101', password: 'p&ss=w ö' } as const;
const pair = {
  access_token: 'a',
  token_type: 'Bearer',
  expires_in: 3600,
  refresh_token: 'r',
  refresh_token_expires_in: 60,
};

function endpoint(answer: { status?: number; body: string; type?: string }): {
  at: TokenEndpoint;
  sent: HttpRequest[];
} {
  const sent: HttpRequest[] = [];
  const reply: HttpReply = {
    status: answer.status ?? 200,
    header: (name) => (name === 'content-type' ? (answer.type ?? 'application/json') : undefined),
    text: () => Promise.resolve(answer.body),
    bytes: () => new ReadableStream<Uint8Array>(),
    discard: () => Promise.resolve(),
  };
  const at: TokenEndpoint = {
    baseUrl: new URL('https://platform.example.test/prefix'),
    clientId: 'app-Key_1.x',
    clientSecret: 'se-cr_et+/=~',
    now: () => 0,
    timeoutMilliseconds: 1000,
    http(request) {
      sent.push(request);
      return Promise.resolve(reply);
    },
  };
  return { at, sent };
}

describe('the token endpoint', () => {
  test('gets the client ID and secret byte for byte, and a form', async () => {
    const { at, sent } = endpoint({ body: JSON.stringify(pair) });
    expect(await requestToken(at, grant)).toMatchObject({
      access_token: 'a',
      token_type: 'bearer',
      expires_in: 3600,
    });
    const [request] = sent;
    expect(request?.url.href).toBe('https://platform.example.test/prefix/restapi/oauth/token');
    const basic = request?.headers['authorization']?.replace('Basic ', '') ?? '';
    expect(Buffer.from(basic, 'base64').toString()).toBe('app-Key_1.x:se-cr_et+/=~');
    expect(request).toMatchObject({ freshConnection: true, timeoutMilliseconds: 1000 });
    expect(request?.headers['accept-encoding']).toBe('identity');
    expect(Object.fromEntries(new URLSearchParams(String(request?.body)))).toEqual({
      grant_type: 'password',
      username: '+16505550100',
      extension: '101',
      password: 'p&ss=w ö',
    });
  });

  test.each([
    { id_token: 'string' },
    { id_token: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJodHRwczovL290aGVyLmV4YW1wbGUifQ.c2ln' },
    { id_token: null, scope: null },
    { owner_id: 4_001_310_420_08, refresh_token_expires_in: '60' },
  ])('may answer with %j in addition to the tokens', async (more) => {
    for (const one of [grant, { type: 'refresh_token', refreshToken: 'old' } as const]) {
      const { at } = endpoint({ body: JSON.stringify({ ...pair, ...more }) });
      const reply = await requestToken(at, one);
      expect(reply).toMatchObject({ access_token: 'a', refresh_token: 'r', refresh_token_expires_in: 60 });
      expect(reply).not.toHaveProperty('id_token');
    }
  });

  test.each([{}, { login: 'https://wifi.example' }, { error: 'gateway' }, { access_token: 5 }])(
    'that answers %j gave no token',
    async (body) => {
      const { at } = endpoint({ body: JSON.stringify(body) });
      await expect(requestToken(at, grant)).rejects.toMatchObject({ name: 'ReplyError' });
    },
  );

  test('that redirects is reported with its status, and the redirect is not followed', async () => {
    const { at, sent } = endpoint({ status: 302, body: '' });
    await expect(requestToken(at, grant)).rejects.toMatchObject({ name: 'ReplyError', status: 302 });
    await expect(revokeToken(at, 'r')).rejects.toMatchObject({ name: 'ReplyError', status: 302 });
    expect(sent).toHaveLength(2);
  });

  test('gets no header, but the key in the form, from a public app', async () => {
    const { at, sent } = endpoint({ body: JSON.stringify(pair) });
    await requestToken({ ...at, clientSecret: undefined }, { type: 'refresh_token', refreshToken: 'r1' });
    expect(sent[0]?.headers['authorization']).toBeUndefined();
    expect(String(sent[0]?.body)).toContain('client_id=app-Key_1.x');
  });

  test('rejecting a request keeps its own code, message and status', async () => {
    const body = JSON.stringify({
      error: 'invalid_grant',
      error_description: 'Token expired',
      errors: [{ errorCode: 'OAU-210', message: 'Token expired' }],
    });
    const { at } = endpoint({ status: 400, body });
    await expect(requestToken(at, grant)).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'invalid_grant',
      message: 'Token expired',
    });
  });

  test.each<[string, Partial<HttpReply>]>([
    [
      'compressed, although not requested',
      fakeReply({
        status: 200,
        body: gzipSync(JSON.stringify(pair)),
        headers: { 'content-encoding': 'gzip' },
      }),
    ],
    [
      'with a type that is not JSON',
      fakeReply({ status: 200, body: pair, headers: { 'content-type': 'text/plain' } }),
    ],
    ['without a type', fakeReply({ status: 200, body: pair })],
  ])('answering %s is accepted, because the refresh token is already used up', async (_name, reply) => {
    const { at, sent } = endpoint({ body: '' });
    const http: HttpSend = async (request) => ({ ...(await at.http(request)), ...reply });
    const renewal = { type: 'refresh_token', refreshToken: 'r1' } as const;
    expect(await requestToken({ ...at, http }, renewal)).toMatchObject({ refresh_token: 'r' });
    expect(sent[0]?.headers['accept-encoding']).toBe('identity');
  });

  test.each([
    ['a page instead of JSON', { body: '<html></html>', type: 'text/html' }],
    ['JSON without a token', { body: '{}' }],
    ['a token without its lifetime', { body: '{"access_token":"a","token_type":"bearer"}' }],
    ['a redirect', { status: 302, body: '' }],
  ])('answering %s is an error, not a session', async (_name, answer) => {
    const { at } = endpoint(answer);
    await expect(requestToken(at, grant)).rejects.toMatchObject({ name: 'ReplyError' });
  });

  test('answering a revocation with an empty body is a success', async () => {
    const { at, sent } = endpoint({ body: '' });
    await revokeToken(at, 'r1');
    expect(sent[0]?.url.pathname).toBe('/prefix/restapi/oauth/revoke');
    expect(new URLSearchParams(String(sent[0]?.body)).get('token')).toBe('r1');
  });
});

test('an abort ends a request to the token endpoint with its reason', async () => {
  const stop = new AbortController();
  const reason = new Error('interrupted');
  const { at } = endpoint({ body: '' });
  const http: HttpSend = ({ signal }) => {
    stop.abort(reason);
    return Promise.reject(signal?.reason as Error);
  };
  const ended = { ...at, http, signal: stop.signal };
  await expect(requestToken(ended, grant)).rejects.toBe(reason);
  await expect(revokeToken(ended, 'a')).rejects.toBe(reason);
});

test.each(['text/html', 'text/plain', 'application/octet-stream'])(
  'tokens are not lost because of the content type %s',
  async (type) => {
    const { at } = endpoint({ body: JSON.stringify(pair), type });
    expect(await requestToken(at, grant)).toMatchObject({ access_token: 'a', refresh_token: 'r' });
    await revokeToken(endpoint({ body: '', type }).at, 'a');
  },
);

test('an HTML page comes from another server', async () => {
  const { at } = endpoint({ body: '<html>Sign in to the network</html>', type: 'text/html' });
  for (const request of [requestToken(at, grant), revokeToken(at, 'a')])
    await expect(request).rejects.toMatchObject({ name: 'ReplyError', isForeign: true });
});
