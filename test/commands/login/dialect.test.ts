import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shareBudgets } from '../../../src/client/budget-share.ts';
import type { HttpSend } from '../../../src/client/index.ts';
import type { DialectName } from '../../../src/contract/dialects.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { sandboxHttp, signInAs, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const reads = ['GET /restapi/v1.0/chat/webhooks', 'GET /team-messaging/v1/webhooks'];

async function office(dialect: DialectName, around: (send: HttpSend) => HttpSend = (send) => send) {
  const sandbox = await startSandbox({ listen: false, dialect, settings: { grants: 'all' } });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const asked: string[] = [];
  const send = around(sandboxHttp(sandbox));
  const http: HttpSend = (request) => {
    asked.push(`${request.method} ${request.url.pathname}`);
    return send(request);
  };
  const { username, password } = userOf(sandbox, '102');
  const login = (
    flags = '',
    { baseUrl = sandbox.url, env = {} }: { baseUrl?: string; env?: Readonly<Record<string, string>> } = {},
  ) =>
    runUcctl(`login --flow password --username ${username} --base-url ${baseUrl} ${flags}`, {
      sandbox: { http },
      paths,
      now: () => sandbox.clock.now(),
      env: {
        UCCTL_STORE: 'file',
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        UCCTL_PASSWORD: password,
        ...env,
      },
    });
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    runUcctl(line, {
      sandbox: { http },
      paths,
      now: () => sandbox.clock.now(),
      env: {
        UCCTL_STORE: 'file',
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        ...env,
      },
    });
  const app = sandbox.ready.apps.find(({ registration }) => registration === 'TrustedPartner');
  const appLogin = (session: string) =>
    run(
      `login --flow client-credentials --session ${session} --brand-id ${sandbox.ready.brandId} --base-url ${sandbox.url}`,
      { UCCTL_CLIENT_ID: app?.clientId ?? '', UCCTL_CLIENT_SECRET: app?.clientSecret ?? '' },
    );
  const profile = () =>
    (
      JSON.parse(readFileSync(join(paths.config, 'config.json'), 'utf8')) as {
        profiles: Record<string, Record<string, unknown>>;
      }
    ).profiles['default'];
  return {
    login,
    run,
    appLogin,
    sandbox,
    paths,
    profile,
    // A sign-in also reads the user.
    asked: () =>
      asked.splice(0).filter((line) => !line.includes('/oauth/') && !line.endsWith('/extension/~')),
    url: sandbox.url,
  };
}

test.each(['spec', 'current'] as const)(
  'login finds dialect %s by two reads and stores it',
  async (dialect) => {
    const { login, profile, asked } = await office(dialect);
    const { exit, stderr } = await login();
    expect(exit).toBe(0);
    expect(asked()).toEqual(reads);
    expect(profile()).toMatchObject({ dialect });
    expect(stderr.includes('dialect current')).toBe(dialect === 'current');
    // The second sign-in uses the stored dialect.
    expect((await login()).exit).toBe(0);
    expect(asked()).toEqual([]);
  },
);

test('a dialect that a flag or a variable sets is not determined, and is stored with the base URL', async () => {
  const { login, profile, asked } = await office('current');
  expect((await login('--dialect current')).exit).toBe(0);
  expect(asked()).toEqual([]);
  expect(profile()).toMatchObject({ dialect: 'current' });
  const other = await office('spec');
  expect((await other.login('', { env: { UCCTL_DIALECT: 'spec' } })).exit).toBe(0);
  expect(other.asked()).toEqual([]);
  expect(other.profile()).toMatchObject({ dialect: 'spec' });
});

test('commands after the sign-in use the dialect of the variables of the sandbox, without these variables', async () => {
  const { login, run } = await office('current');
  expect((await login('', { env: { UCCTL_DIALECT: 'current' } })).exit).toBe(0);
  const { exit, stdout } = await run('config list -o json --jq \'.[] | select(.key == "dialect") | .value\'');
  expect([exit, stdout.trim()]).toEqual([0, 'current']);
});

test('the dialect of the former base URL is determined again', async () => {
  const { login, asked, url } = await office('spec');
  await login();
  asked();
  expect((await login('', { baseUrl: `${url}/` })).exit).toBe(0);
  expect(asked()).toEqual([]);
  expect((await login('', { baseUrl: url.replace('127.0.0.1', 'localhost') })).exit).toBe(0);
  expect(asked()).toEqual(reads);
});

test.each([
  ['both addresses exist', 200],
  ['both addresses require a permission', 403],
  ['no address exists', 404],
  ['the service fails', 503],
])('the default stays, with a note, if %s', async (_name, status) => {
  const { login, profile } = await office('spec', (send) => (request) => {
    if (!request.url.pathname.endsWith('/webhooks')) return send(request);
    return Promise.resolve(fakeReply({ status, body: {} }));
  });
  const { exit, stderr } = await login();
  expect(exit).toBe(0);
  expect(stderr).toContain('could not determine the dialect');
  expect(profile()).not.toHaveProperty('dialect');
});

test('a dialect that was set before the first sign-in is not determined', async () => {
  const { login, run, profile, asked } = await office('current');
  expect((await run('config set dialect current')).exit).toBe(0);
  expect((await login()).exit).toBe(0);
  expect([asked(), profile()]).toMatchObject([[], { dialect: 'current' }]);
});

test('a service whose dialect cannot be determined does not get the dialect of the former base URL', async () => {
  const rejected = new Set(['localhost']);
  const { login, profile, url } = await office('current', (send) => (request) => {
    if (!rejected.has(request.url.hostname) || !request.url.pathname.endsWith('/webhooks'))
      return send(request);
    return Promise.resolve(fakeReply({ status: 403, body: {} }));
  });
  await login();
  expect(profile()).toMatchObject({ dialect: 'current' });
  const { exit, stderr } = await login('', { baseUrl: url.replace('127.0.0.1', 'localhost') });
  expect([exit, stderr.includes('could not determine the dialect of the service and uses spec')]).toEqual([
    0,
    true,
  ]);
  expect(profile()).not.toHaveProperty('dialect');
});

test('init finds the dialect for a user who is already signed in, once', async () => {
  const { login, run, profile, asked } = await office('current');
  expect((await login()).exit).toBe(0);
  expect((await run('config unset dialect')).exit).toBe(0);
  asked();
  expect(profile()).not.toHaveProperty('dialect');
  const { exit, stderr } = await run('init');
  expect([exit, stderr.includes('uses dialect current')]).toEqual([0, true]);
  expect(asked().slice(0, 2)).toEqual(reads);
  expect(profile()).toMatchObject({ dialect: 'current' });
  expect((await run('init')).exit).toBe(0);
  expect(asked().filter((line) => line.includes('webhooks'))).toEqual([]);
});

test('init creates no profile for UCCTL_TOKEN', async () => {
  const { run, sandbox, asked, paths } = await office('current');
  const env = { UCCTL_BASE_URL: sandbox.url, UCCTL_TOKEN: await signInAs(sandbox, '102') };
  expect((await run('init', env)).exit).toBe(0);
  expect(asked().filter((line) => line.includes('webhooks'))).toEqual([]);
  expect(existsSync(join(paths.config, 'config.json'))).toBe(false);
});

test.each(['spec', 'current'] as const)(
  'a sign-in by client credentials for one account finds dialect %s',
  async (dialect) => {
    const { appLogin, profile, asked, sandbox } = await office(dialect);
    const { exit, stderr } = await appLogin(`account --account-id ${sandbox.ready.accountId}`);
    expect([exit, exit === 0 ? '' : stderr]).toEqual([0, '']);
    expect(asked()).toEqual(reads);
    expect(profile()).toMatchObject({ dialect });
  },
);

test('a signup session may read only dictionaries, so the default dialect stays, with a note', async () => {
  const { appLogin, profile } = await office('current');
  const { exit, stderr } = await appLogin('signup');
  expect([exit, stderr.includes('could not determine the dialect')]).toEqual([0, true]);
  expect(profile()).not.toHaveProperty('dialect');
});

test('the two reads count against the shared rate limits', async () => {
  const { login, asked, paths, sandbox } = await office('spec', (send) => async (request) => {
    const reply = await send(request);
    const headers: Readonly<Record<string, string>> = {
      'x-rate-limit-group': 'medium',
      'x-rate-limit-limit': '40',
      'x-rate-limit-remaining': '3',
      'x-rate-limit-window': '60',
    };
    return { ...reply, header: (name) => headers[name] ?? reply.header(name) };
  });
  expect((await login()).exit).toBe(0);
  expect(asked()).toEqual(reads);
  const share = shareBudgets(paths.state, () => Promise.resolve('unused'));
  expect(share.hasEntries(sandbox.clock.now())).toBe(true);
});
