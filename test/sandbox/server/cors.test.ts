import { describe, expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { requestToken, userClient } from '../request.ts';

const page = 'http://localhost:5173';
const stranger = 'http://evil.example';
const options = { redirectUris: [`${page}/callback`] };
const api = '/restapi/v1.0/account/~/extension';

const preflight = (url: string, origin: string, method = 'POST') =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization,content-type',
    },
  });

describe('a page of a registered browser app', () => {
  test.each(['/restapi/oauth/token', '/restapi/oauth/revoke', api])(
    'gets its preflight of %s answered',
    async (path) => {
      await using sandbox = await startSandbox(options);
      const reply = await preflight(sandbox.url + path, page);
      expect(reply.status).toBe(204);
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'access-control-allow-origin': page,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'authorization,content-type',
        vary: 'Origin',
      });
      expect(reply.headers.has('access-control-allow-credentials')).toBe(false);
    },
  );

  test('reads replies, also rejections, and the headers that clients need', async () => {
    await using sandbox = await startSandbox(options);
    const { token } = await userClient(sandbox, '102');
    const read = (authorization: string) =>
      fetch(sandbox.url + api, { headers: { origin: page, authorization } });
    const good = await read(`Bearer ${token}`);
    expect([good.status, good.headers.get('access-control-allow-origin')]).toEqual([200, page]);
    expect(good.headers.get('access-control-expose-headers')).toContain('retry-after');
    const bad = await read('Bearer wrong');
    expect([bad.status, bad.headers.get('access-control-allow-origin')]).toEqual([401, page]);
    const unknown = await fetch(`${sandbox.url}/restapi/v1.0/nothing`, { headers: { origin: page } });
    expect([unknown.status, unknown.headers.get('access-control-allow-origin')]).toEqual([404, page]);
  });
});

test.each(['/team-messaging/v1/groups/1/webhooks', '/time/0', '/v2/subscribe/key/channel/0'])(
  'in dialect current, a page of a registered browser app gets its preflight of %s answered',
  async (path) => {
    await using sandbox = await startSandbox({ ...options, dialect: 'current' });
    const reply = await preflight(sandbox.url + path, page);
    expect([reply.status, reply.headers.get('access-control-allow-origin')]).toEqual([204, page]);
  },
);

describe('no CORS headers', () => {
  test.each([stranger, 'null', 'https://localhost:5173', 'http://localhost:5174'])(
    'for the origin %s',
    async (origin) => {
      await using sandbox = await startSandbox(options);
      const reply = await preflight(sandbox.url + api, origin);
      expect([reply.status, reply.headers.has('access-control-allow-origin')]).toEqual([404, false]);
      const read = await fetch(sandbox.url + api, { headers: { origin } });
      expect(read.headers.has('access-control-allow-origin')).toBe(false);
    },
  );

  test('on the control API, health, the contract and the sign-in page, for any origin', async () => {
    await using sandbox = await startSandbox(options);
    for (const path of [
      '/sandbox/v1/status',
      '/sandbox/v1/reset',
      '/sandbox/v1/users/102/disable',
      '/sandbox/v1/assertions',
      '/healthz',
      '/openapi.json',
      '/restapi/oauth/authorize',
    ]) {
      for (const origin of [page, stranger, sandbox.url]) {
        const asked = await preflight(sandbox.url + path, origin);
        const read = await fetch(sandbox.url + path, { headers: { origin } });
        expect([path, origin, asked.status < 300 && asked.status !== 200]).toEqual([path, origin, false]);
        for (const reply of [asked, read]) {
          expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
        }
      }
    }
  });

  test('where nothing of a browser asks', async () => {
    await using sandbox = await startSandbox(options);
    const reply = await requestToken(sandbox, { grant_type: 'password', username: 'x', password: 'y' });
    expect([...reply.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  });
});
