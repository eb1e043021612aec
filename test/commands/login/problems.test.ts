import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFileStore } from '../../../src/auth/file-store.ts';
import { SessionRepository } from '../../../src/auth/session-repository.ts';
import { signOut } from '../../../src/auth/sign-out.ts';
import type { TokenStore } from '../../../src/auth/token-store.ts';
import { ConnectionError, type HttpSend } from '../../../src/client/index.ts';
import { resolveSettings } from '../../../src/config/index.ts';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { CommandError, Exit } from '../../../src/errors/command.ts';
import { authEnvironment } from '../../support/auth-environment.ts';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { fakeReply } from '../../support/fake-service.ts';
import { runUcctl, type RunOptions } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

async function office(around: (send: HttpSend) => HttpSend = (send) => send) {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const http = around(sandboxHttp(sandbox));
  const { clientId, clientSecret } = sandbox.ready;
  const env = {
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_CLIENT_ID: clientId,
    UCCTL_CLIENT_SECRET: clientSecret,
    UCCTL_STORE: 'file',
  };
  const run = (line: string, more: RunOptions = {}) =>
    runUcctl(line, {
      sandbox: { http },
      paths,
      now: () => sandbox.clock.now(),
      ...more,
      env: { ...env, ...more.env },
    });
  const signIn = (flags = '', more: RunOptions = {}) => {
    const { username, password } = userOf(sandbox, '102');
    return run(`login --flow password --username ${username} ${flags}`, {
      ...more,
      env: { UCCTL_PASSWORD: password },
    });
  };
  const slept: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    slept.push(milliseconds);
    await sandbox.clock.advance(milliseconds);
  };
  return { sandbox, paths, run, signIn, slept, sleep };
}

test('status shows the session if the database of the rate limits is damaged', async () => {
  const { paths, signIn, run, sandbox } = await office();
  await signIn();
  mkdirSync(paths.state, { recursive: true });
  writeFileSync(join(paths.state, 'rate-limits.db'), 'torn '.repeat(1000));
  const near = join(paths.state, 'rate-limits.near');
  writeFileSync(near, '');
  const later = new Date(sandbox.clock.now() + 60_000);
  utimesSync(near, later, later);
  const { exit, stdout, stderr } = await run('status -o json');
  expect([exit, JSON.parse(stdout)]).toMatchObject([0, { signedIn: true }]);
  expect(stderr).toContain('rate-limits.db');
});

describe('a session file that is damaged', () => {
  test.each([
    ['torn', '{"version":1,"origin":"http', 'is damaged'],
    ['of a newer ucctl', '{"version":2}', 'was stored by a different version of ucctl'],
  ])('(%s) is reported as such, and logout or login replaces it', async (_, text, said) => {
    const { paths, run, signIn } = await office();
    mkdirSync(join(paths.config, 'sessions'), { recursive: true, mode: 0o700 });
    const damage = (): void =>
      writeFileSync(join(paths.config, 'sessions', 'default.json'), text, { mode: 0o600 });
    damage();
    for (const line of ['status', 'queue list', 'doctor']) {
      const { stdout, stderr, exit } = await run(line);
      expect([line, exit, `${stdout}${stderr}`]).toEqual([
        line,
        line === 'doctor' ? 1 : 4,
        expect.stringContaining(said),
      ]);
      expect(`${stdout}${stderr}`).not.toContain('not signed in');
    }
    const preview = await run('logout -n');
    expect([preview.exit, preview.stderr]).toEqual([0, expect.stringContaining('would remove the session')]);
    expect((await run('status')).stderr).toContain(said);
    expect((await run('logout')).stderr).toContain('removed');
    expect((await run('status')).stderr).toContain('is not signed in');
    damage();
    expect((await signIn()).exit).toBe(0);
    expect((await run('status')).exit).toBe(0);
  });
});

describe('where there is no keychain', () => {
  const env = {
    UCCTL_STORE: '',
    DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus',
    PATH: process.env['PATH'] ?? '',
  };

  test.each([
    ['login --flow password --username +16505550100*101', "--flow password --username '+16505550100*101'"],
    [
      'login -p lab --public-client --redirect-uri http://127.0.0.1:1/a --access-token-ttl 10m',
      '--public-client --access-token-ttl 600s --redirect-uri http://127.0.0.1:1/a',
    ],
    ['login --client-id KEY --base-url http://127.0.0.1:1', '--client-id KEY --base-url http://127.0.0.1:1'],
  ])('the hint of %s repeats its options', async (line, options) => {
    const { run } = await office();
    const { exit, stderr } = await run(`${line} --store keychain`, { env });
    expect(exit).toBe(12);
    const start = line.includes('-p lab') ? 'ucctl login -p lab' : 'ucctl login';
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`${start} ${options} --store file (plain text`);
  });

  test('the hint of a profile with a PostgreSQL store names the key of the store', async () => {
    const { run } = await office();
    await run('config set store postgres:///ucctl', { env });
    const { exit, stderr } = await run('login --flow password --username +16505550100*101', { env });
    expect([exit, stderr.replaceAll(/\s+/g, ' ')]).toEqual([
      12,
      expect.stringContaining('UCCTL_STORE_KEY_FILE'),
    ]);
    expect(stderr).not.toContain('--store file');
  });

  test('--store file asks for the secret of the application, also in a profile without a store', async () => {
    const { run } = await office();
    const { exit, stderr } = await run('login --store file', { env: { ...env, UCCTL_CLIENT_SECRET: '' } });
    expect([exit, stderr]).toEqual([9, expect.stringContaining('--secret-stdin or UCCTL_CLIENT_SECRET')]);
    expect(stderr).not.toContain('keychain');
  });

  test('logout succeeds if there is no session', async () => {
    const { run } = await office();
    const { exit, stderr } = await run('logout', { env });
    expect([exit, stderr]).toEqual([0, expect.stringContaining('was not signed in')]);
    expect((await run('logout -n', { env })).exit).toBe(0);
  });

  test('a profile can be removed, with a warning about a session that may be in a keychain elsewhere', async () => {
    const { run } = await office();
    await run('profile add old', { env });
    await run('profile add older --store keychain', { env });
    const old = await run('profile remove old', { env });
    expect([old.exit, old.stderr]).toEqual([0, expect.not.stringContaining('keychain')]);
    const older = await run('profile remove older', { env });
    expect([older.exit, older.stderr]).toEqual([
      0,
      expect.stringContaining('warning: the session cannot be read: no keychain service is available'),
    ]);
  });

  test('a session that is stored in a keychain is not reported as deleted', async () => {
    const { run } = await office();
    await run('profile add default --store keychain', { env });
    expect(await run('logout', { env })).toMatchObject({
      exit: 12,
      stderr: expect.stringContaining('where the keychain is') as string,
    });
  });
});

describe('a config folder in which nothing can be written', () => {
  test('is reported with its path before a sign-in', async () => {
    const { sandbox, paths, signIn } = await office();
    await mkdir(paths.config, { recursive: true });
    const db = openDatabase(join(paths.config, 'auth-default.lock.db'));
    db.exec(`CREATE TABLE intent (token TEXT PRIMARY KEY, started_at TEXT NOT NULL, pid INTEGER NOT NULL) STRICT;
      CREATE TRIGGER full BEFORE INSERT ON intent BEGIN SELECT RAISE(ABORT, 'attempt to write a readonly database'); END;
      PRAGMA journal_mode = DELETE;`);
    db.close();
    const { exit, stderr } = await signIn();
    expect([exit, stderr]).toEqual([12, expect.stringMatching(/cannot use .*auth-default\.lock\.db: /)]);
    expect(stderr).toContain('check the free disk space and the permissions of the folder');
    expect(sandbox.requestLog()).toEqual([]);
  });

  test('is named when a setting is changed', async () => {
    const { paths, run } = await office();
    await mkdir(join(paths.config, 'config.lock.db'), { recursive: true });
    const { exit, stderr } = await run('config set retry 1');
    expect([exit, stderr]).toEqual([12, expect.stringContaining('cannot write the config file')]);
    expect(stderr).toContain('UCCTL_CONFIG_DIR');
  });

  test.each([
    [2, 'confirmed that it revoked the tokens'],
    [1, 'did not confirm that it revoked the tokens'],
  ])(
    'prevents logout from deleting the session, but not from revoking %i of 2 tokens',
    async (confirmed, said) => {
      const { sandbox, run, signIn, paths } = await office();
      await signIn();
      let revoked = 0;
      const http: HttpSend = (request) => {
        if (request.url.pathname.endsWith('/revoke')) revoked += 1;
        return revoked > confirmed
          ? Promise.resolve(fakeReply({ status: 500 }))
          : sandboxHttp(sandbox)(request);
      };
      const settings = await resolveSettings({ flags: {}, env: { UCCTL_BASE_URL: sandbox.url }, paths });
      const environment = { ...(await authEnvironment({ paths, http })), settings };
      const store: TokenStore = {
        ...createFileStore(paths.config),
        delete: () => Promise.reject(new CommandError('token_store_failed', Exit.local, 'cannot be removed')),
      };
      await expect(
        signOut(environment, new SessionRepository(store, environment), false),
      ).rejects.toMatchObject({
        code: 'token_store_failed',
        details: [expect.stringContaining(`${sandbox.url} ${said}`)],
      });
      expect(revoked).toBe(2);
      expect((await run('presence show')).exit).toBe(4);
    },
  );
});

test('logout sends the tokens only to the service that issued them', async () => {
  const asked: string[] = [];
  const { sandbox, run, signIn } = await office((send) => (request) => {
    asked.push(request.url.origin);
    return send(request);
  });
  await signIn();
  asked.length = 0;
  const { exit } = await run('logout --verify', { env: { UCCTL_BASE_URL: 'https://other.example.test' } });
  expect([exit, asked]).toEqual([0, [sandbox.url, sandbox.url, sandbox.url]]);
});

const noAuthorities = 'cannot read the certificate authorities in ca.pem';

test.each([
  [noAuthorities, new CommandError('usage', Exit.usage, noAuthorities)],
  ['ucctl could not read the reply', new TypeError('an unknown error, which may repeat the token')],
])('logout that gets no reply reports why nothing was revoked: %s', async (problem, error) => {
  const { sandbox, signIn, paths } = await office();
  await signIn();
  const settings = await resolveSettings({ flags: {}, env: { UCCTL_BASE_URL: sandbox.url }, paths });
  const http = () => Promise.reject(error);
  const environment = { ...(await authEnvironment({ paths })), settings, http };
  const repository = new SessionRepository(createFileStore(paths.config), environment);
  expect((await signOut(environment, repository, false)).revocations).toEqual([
    { token: 'refresh', confirmed: false, problem },
    { token: 'access', confirmed: false, problem },
  ]);
});

test.each([
  [200, 'accepted'],
  [302, 'unknown'],
  [401, 'rejected'],
  [403, 'accepted'],
  [503, 'unknown'],
])('logout --verify: a reply of the service with HTTP %i means %s', async (status, verified) => {
  const headers = { 'content-type': 'application/json' };
  const body = status < 300 ? { records: [] } : { errorCode: 'CMN-100', message: 'no' };
  const { run, signIn } = await office(
    (send) => (request) =>
      request.url.pathname.endsWith('/subscription')
        ? Promise.resolve(fakeReply({ status, headers, body }))
        : send(request),
  );
  await signIn();
  const { exit, stdout } = await run('logout --verify -o json');
  expect([exit, JSON.parse(stdout)]).toMatchObject([verified === 'rejected' ? 0 : 1, { verified }]);
});

describe('the sign-in page of a network', () => {
  const headers = { 'content-type': 'text/html' };
  const page =
    (status: number): HttpSend =>
    () =>
      Promise.resolve(fakeReply({ status, headers, body: Buffer.from('<html>Sign in to the Wi-Fi</html>') }));
  const portal = expect.stringContaining('check the proxy and the sign-in page of the network') as string;

  test.each([400, 401, 403, 404, 407])(
    'is named if it answers a sign-in with HTTP %i: nothing shows that the credentials are wrong',
    async (status) => {
      const { signIn } = await office();
      const { stderr } = await signIn('', { sandbox: { http: page(status) } });
      expect(stderr).toEqual(portal);
      expect(stderr).not.toMatch(/rejected the|is wrong/);
    },
  );

  test.each([400, 401, 403])(
    'does not end a session whose renewal it answers with HTTP %i',
    async (status) => {
      const { sandbox, run, signIn } = await office();
      await signIn();
      await sandbox.clock.advance(2 * 3_600_000);
      expect((await run('presence show', { sandbox: { http: page(status) } })).stderr).toEqual(portal);
      expect((await run('presence show')).exit).toBe(0);
    },
  );

  test('does not confirm that the tokens were revoked', async () => {
    const { run, signIn } = await office();
    await signIn();
    const { exit, stderr } = await run('logout', { sandbox: { http: page(200) } });
    expect([exit, stderr]).toEqual([1, expect.stringContaining('returned HTTP 200 with an HTML page')]);
  });

  test.each([200, 302, 401, 403])('leaves the check of logout --verify open with HTTP %i', async (status) => {
    const { run, signIn } = await office(
      (send) => (request) =>
        request.url.pathname.endsWith('/subscription') ? page(status)(request) : send(request),
    );
    await signIn();
    const { stdout } = await run('logout --verify -o json');
    expect(JSON.parse(stdout)).toMatchObject({ verified: 'unknown' });
  });
});

describe('UCCTL_TOKEN', () => {
  test.each([
    ['a\nb', 2, 'UCCTL_TOKEN is not a valid token'],
    ['a b', 2, 'UCCTL_TOKEN is not a valid token'],
    ['wrong\n', 4, 'rejected'],
  ])('%j ends with %i', async (token, exit, said) => {
    const { run } = await office();
    const result = await run('presence show', { env: { UCCTL_TOKEN: token } });
    expect([result.exit, result.stderr]).toEqual([exit, expect.stringContaining(said)]);
    expect(result.stderr).not.toContain(token);
  });
});

describe('the next step', () => {
  test('names profile and flow, in status and in doctor', async () => {
    const { sandbox, run, signIn } = await office();
    expect((await signIn('-p lab --refresh-token-ttl 0')).exit).toBe(0);
    await sandbox.clock.advance(2 * 3_600_000);
    expect((await run('status -p lab')).stderr).toContain('try:     ucctl login -p lab --flow password');
    const { stdout, stderr } = await run('doctor -p lab -o json');
    const findings = JSON.parse(stdout) as { check: string; todo?: string }[];
    const todo = 'ucctl login -p lab --flow password';
    expect(findings.find(({ check }) => check === 'token')?.todo).toBe(todo);
    expect(findings.find(({ check }) => check === 'keychain')?.todo).toContain('ucctl login -p lab --store');
    expect(stderr).toContain(todo);
  });

  test('names profile and flow if a request is rejected with a new token too', async () => {
    const { sandbox, run, signIn } = await office();
    await signIn('-p lab');
    await sandbox.control('POST', '/faults', {
      kind: 'expired-token',
      operation: 'listPhoneNumbers',
      times: 0,
    });
    const { exit, stderr } = await run('sms numbers -p lab');
    expect([exit, stderr]).toEqual([4, expect.stringContaining('the service rejected a newly issued token')]);
    expect(stderr).toContain('try:     sign in again: ucctl login -p lab --flow password\n');
  });

  test('names the profile of a command that reads one profile', async () => {
    const { run } = await office();
    await run('profile add default');
    const { stderr } = await run('presence show -p default --retry 0', {
      env: { UCCTL_TOKEN: 'x', UCCTL_BASE_URL: 'http://127.0.0.1:1' },
      sandbox: undefined,
    });
    expect(stderr).toContain('ucctl -p default config list --show-origin');
  });

  test('explains how to paste the address if login --no-browser gets no answer', async () => {
    const { run } = await office();
    const { exit, stderr } = await run('login --no-browser', { stdin: '' });
    expect(exit).toBe(9);
    expect(stderr).toContain('run the command in a terminal and paste the address');
  });
});

describe('a sign-in or sign-out that the service rejects with 429', () => {
  function busy(path: string, times: number, after = '30') {
    let left = times;
    return (send: HttpSend): HttpSend =>
      (request) => {
        if (request.url.pathname !== path || left === 0) return send(request);
        left -= 1;
        return Promise.resolve(fakeReply({ status: 429, headers: { 'retry-after': after } }));
      };
  }

  test('logout waits up to --max-wait, reports the wait, and revokes', async () => {
    const { run, signIn, slept, sleep } = await office(busy('/restapi/oauth/revoke', 2));
    await signIn();
    const { exit, stderr } = await run('logout --verify --max-wait 2m', { sleep });
    expect([exit, slept]).toEqual([0, [30_050, 30_050]]);
    expect(stderr).toContain("waiting 30 s for the service's rate limit");
  });

  test('logout without --max-wait waits for 10 s in total, and sends nothing during the penalty', async () => {
    const short = await office(busy('/restapi/oauth/revoke', 1, '4'));
    await short.signIn();
    expect([(await short.run('logout', { sleep: short.sleep })).exit, short.slept]).toEqual([0, [4050]]);
    const { sandbox, run, signIn, slept, sleep } = await office(busy('/restapi/oauth/revoke', 1));
    await signIn();
    const { exit, stderr } = await run('logout', { sleep });
    expect([exit, slept]).toEqual([1, []]);
    expect(stderr).toContain('did not confirm');
    expect(sandbox.requestLog().filter(({ path }) => path.endsWith('/revoke'))).toEqual([]);
    expect((await run('status')).exit).toBe(4);
  });

  test('logout waits 10 s for both tokens if the service does not respond', async () => {
    const limits: (number | undefined)[] = [];
    const { sandbox, run, signIn } = await office((send) => async (request) => {
      if (!request.url.pathname.endsWith('/revoke')) return send(request);
      limits.push(request.timeoutMilliseconds);
      await sandbox.clock.advance(request.timeoutMilliseconds ?? 0);
      throw new ConnectionError('TIMEOUT', 'unknown', request.url.origin, undefined);
    });
    await signIn();
    expect((await run('logout')).exit).toBe(1);
    expect(limits).toEqual([10_000, 1000]);
    await signIn();
    expect((await run('logout --timeout 20')).exit).toBe(1);
    expect(limits.slice(2)).toEqual([20_000, 20_000]);
  });

  test('no longer than --max-wait', async () => {
    const { run, signIn } = await office(busy('/restapi/oauth/revoke', 9));
    await signIn();
    const sleep = (): Promise<void> => Promise.reject(new Error('must not wait'));
    const { exit, stderr } = await run('logout --max-wait 10s', { sleep });
    expect([exit, stderr]).toEqual([1, expect.stringContaining('did not confirm')]);
  });

  test('a sign-in by password waits too', async () => {
    const { signIn, slept, sleep } = await office(busy('/restapi/oauth/token', 1));
    const { stderr, exit } = await signIn('', { sleep });
    expect([exit, slept, stderr]).toEqual([0, [30_050], expect.stringContaining('waiting 30 s')]);
  });
});

describe('a renewal that the service rejects with 429', () => {
  const expired = async () => {
    const all = await office();
    await all.signIn();
    await all.sandbox.clock.advance(7_200_000);
    await all.sandbox.control('POST', '/faults', { kind: 'status', status: 429, operation: 'issueToken' });
    return all;
  };

  test('is waited for, and the command succeeds', async () => {
    const { run, slept, sleep } = await expired();
    const { exit, stdout, stderr } = await run('sms numbers -o json', { sleep });
    expect([exit, slept, stderr]).toEqual([0, [60_050], "waiting 60 s for the service's rate limit\n"]);
    expect(JSON.parse(stdout)).toBeInstanceOf(Array);
  });

  test('for longer than --max-wait exits like every other rate limit', async () => {
    const { run, slept, sleep, sandbox } = await expired();
    const renewal = await run('sms numbers --max-wait 10s', { sleep });
    await sandbox.clock.advance(61_000);
    await sandbox.control('POST', '/faults', { kind: 'status', status: 429, operation: 'listPhoneNumbers' });
    const request = await run('sms numbers --max-wait 10s', { sleep });
    expect([renewal.exit, request.exit, slept]).toEqual([6, 6, []]);
    const alike = (stderr: string): string =>
      stderr.replaceAll(/group \w+|(GET|POST) \S+|ID \S+/g, 'X').trimEnd();
    expect(renewal.stderr).toContain(
      'rate limit of usage group auth reached; ucctl can send the next request in 60 s',
    );
    expect(alike(renewal.stderr)).toBe(alike(request.stderr));
  });
});
