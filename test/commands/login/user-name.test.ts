import { expect, onTestFinished, test, vi } from 'vitest';
import type { HttpSend } from '../../../src/client/index.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sandboxHttp, signInAs, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const ownExtension = '/restapi/v1.0/account/~/extension/~';

async function office({ around = (send) => send }: { around?: (send: HttpSend) => HttpSend } = {}) {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const requests: string[] = [];
  const waits: number[] = [];
  const send = around(sandboxHttp(sandbox));
  const http: HttpSend = (request) => {
    requests.push(request.url.pathname);
    return send(request);
  };
  const run = (line: string, stdin = '', env: Readonly<Record<string, string>> = {}) =>
    runUcctl(line, {
      sandbox: { http },
      paths,
      stdin,
      now: () => sandbox.clock.now(),
      sleep: async (milliseconds, signal) => {
        signal.throwIfAborted();
        waits.push(milliseconds);
      },
      env: {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_STORE: 'file',
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        ...env,
      },
    });
  const login = (number = '102', env: Readonly<Record<string, string>> = {}) =>
    run(
      'login --flow jwt --assertion-stdin -o json',
      sandbox.assertion({ sub: userOf(sandbox, number).extensionId }),
      env,
    );
  return { sandbox, run, login, requests, waits };
}

/** Answers the request for the signed-in user. */
function answerForUser(answer: Parameters<typeof fakeReply>[0]): (send: HttpSend) => HttpSend {
  return (send) => (request) =>
    request.url.pathname === ownExtension ? Promise.resolve(fakeReply(answer)) : send(request);
}

test('login shows name and extension number of the user, and status shows them without a request', async () => {
  const { sandbox, run, login, requests } = await office();
  const { name } = userOf(sandbox, '102');
  const { exit, stdout, stderr } = await login();
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { name, extension: '102' }]);
  expect(stderr).toContain(`Signed in to ${sandbox.url} as ${name} (102) (profile default)`);
  expect(requests.filter((path) => path === ownExtension)).toHaveLength(1);
  requests.length = 0;
  expect(JSON.parse((await run('status -o json')).stdout)).toMatchObject({ name, extension: '102' });
  expect(requests).toEqual([]);
});

test('the name remains after a renewal, and the next sign-in replaces it', async () => {
  const { sandbox, run, login } = await office();
  await login();
  await sandbox.clock.advance(3_600_000);
  expect((await run('queue list')).exit).toBe(0);
  const renewed = JSON.parse((await run('status -o json')).stdout) as object;
  expect(renewed).toMatchObject({ name: userOf(sandbox, '102').name });
  await login('103');
  const other = JSON.parse((await run('status -o json')).stdout) as object;
  expect(other).toMatchObject({ name: userOf(sandbox, '103').name, extension: '103' });
});

test.each([200, 403, 404])('a sign-in succeeds without a name if the service answers %i', async (status) => {
  const { run, login } = await office({
    around: answerForUser({ status, body: { errorCode: 'X', message: 'no' } }),
  });
  const { exit, stdout } = await login();
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { ownerId: expect.any(String) as string }]);
  expect(JSON.parse(stdout)).not.toHaveProperty('name');
  expect((await run('status -o json')).exit).toBe(0);
});

test.each<readonly [object, string, object]>([
  [{ extensionNumber: '102' }, ' as 102', { extension: '102' }],
  [{ name: '', extensionNumber: '102' }, ' as 102', { extension: '102' }],
  [{}, '', {}],
  [{ name: '', extensionNumber: '' }, '', {}],
])('a user without a name is neither shown nor stored with an empty name: %j', async (body, words, known) => {
  const { sandbox, run, login } = await office({
    around: answerForUser({ status: 200, body: { id: 5, ...body } }),
  });
  const { exit, stdout, stderr } = await login();
  expect([exit, stderr]).toEqual([
    0,
    expect.stringContaining(`Signed in to ${sandbox.url}${words} (profile default)`),
  ]);
  for (const shown of [stdout, (await run('status -o json')).stdout]) {
    const { name, extension } = JSON.parse(shown) as { readonly name?: string; readonly extension?: string };
    expect({ name, extension }).toEqual({ name: undefined, extension: undefined, ...known });
  }
});

test('a sign-in waits at most 5 s for the name of the user', async () => {
  const aborted: boolean[] = [];
  const { login } = await office({
    around: (send) => (request) => {
      const { signal } = request;
      if (request.url.pathname !== ownExtension || !signal) return send(request);
      for (const milliseconds of [4999, 1]) {
        vi.advanceTimersByTime(milliseconds);
        aborted.push(signal.aborted);
      }
      return Promise.reject(signal.reason as Error);
    },
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { exit, stdout } = await login();
  expect([exit, aborted]).toEqual([0, [false, true]]);
  expect(JSON.parse(stdout)).not.toHaveProperty('name');
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  ['the rate limit is exceeded', 429, { 'retry-after': '30' }],
  ['the service is unavailable', 503, {}],
])('a sign-in does not wait for the name of the user if %s', async (_, status, headers) => {
  const answer = { status, headers: headers as Record<string, string>, body: { message: 'no' } };
  const { login, requests, waits } = await office({ around: answerForUser(answer) });
  const { exit, stdout, stderr } = await login();
  expect([exit, waits]).toEqual([0, []]);
  expect(JSON.parse(stdout)).not.toHaveProperty('name');
  expect(requests.filter((path) => path === ownExtension)).toHaveLength(1);
  expect(stderr).not.toMatch(/rate limit|waiting|retry/i);
});

test('a sign-in does not ask for the name of the user while the rate limit is reached', async () => {
  const headers = {
    'x-rate-limit-group': 'light',
    'x-rate-limit-limit': '50',
    'x-rate-limit-remaining': '0',
    'x-rate-limit-window': '60',
  };
  const { login, requests, waits } = await office({
    around: answerForUser({ status: 200, headers, body: { id: 5, name: 'Ada' } }),
  });
  expect(JSON.parse((await login()).stdout)).toMatchObject({ name: 'Ada' });
  const { exit, stdout, stderr } = await login();
  expect([exit, waits]).toEqual([0, []]);
  expect(JSON.parse(stdout)).not.toHaveProperty('name');
  expect(requests.filter((path) => path === ownExtension)).toHaveLength(1);
  expect(stderr).not.toMatch(/rate limit|waiting|retry/i);
});

test('the user of UCCTL_TOKEN is not stored as the user of the session', async () => {
  const { sandbox, login } = await office();
  const { exit, stdout } = await login('102', { UCCTL_TOKEN: await signInAs(sandbox, '103') });
  expect([exit, 'name' in (JSON.parse(stdout) as object)]).toEqual([0, false]);
});
