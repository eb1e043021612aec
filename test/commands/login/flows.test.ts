import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { sessionsFolder } from '../../../src/auth/sessions-folder.ts';
import type { HttpSend } from '../../../src/client/index.ts';
import { withProcessLock } from '../../../src/platform/process-lock.ts';
import type { Paths } from '../../../src/runtime/context.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { runUcctl, type RunOptions, type RunResult } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

const hour = 3_600_000;

interface Office {
  readonly sandbox: Sandbox;
  readonly paths: Paths;
  /** Forms of the requests to the token endpoint. */
  readonly forms: Readonly<Record<string, string>>[];
  readonly languages: (string | undefined)[];
  readonly run: (line: string, more?: RunOptions) => Promise<RunResult>;
  /** The secret of one of the sandbox's applications, in the environment. */
  readonly as: (clientId: string) => Readonly<Record<string, string>>;
}

async function office(): Promise<Office> {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const forms: Record<string, string>[] = [];
  const languages: (string | undefined)[] = [];
  const http: HttpSend = (request) => {
    // A sign-in reads the webhooks to determine the dialect, and its own extension to name the user.
    if (!/\/(?:webhooks|extension\/~)$/.test(request.url.pathname))
      languages.push(request.headers['accept-language']);
    if (request.url.pathname.endsWith('/token')) {
      forms.push(Object.fromEntries(new URLSearchParams(String(request.body))));
    }
    return sandboxHttp(sandbox)(request);
  };
  const as: Office['as'] = (clientId) => {
    const app = sandbox.ready.apps.find((one) => one.clientId === clientId);
    return { UCCTL_CLIENT_ID: clientId, UCCTL_CLIENT_SECRET: app?.clientSecret ?? '' };
  };
  const run: Office['run'] = (line, more = {}) =>
    runUcctl(line, {
      sandbox: { http },
      paths,
      now: () => sandbox.clock.now(),
      ...more,
      env: {
        UCCTL_BASE_URL: sandbox.url,
        UCCTL_STORE: 'file',
        ...as(sandbox.ready.clientId),
        ...more.env,
      },
    });
  return { sandbox, paths, forms, languages, run, as };
}

describe('spec:OAUTH-28', () => {
  test('an account session works for its account and shows when it expires', async () => {
    const { sandbox, run, forms, as } = await office();
    const { brandId, accountId } = sandbox.ready;
    const line = `login --flow client-credentials --session account --brand-id ${brandId} --account-id ${accountId} --access-token-ttl 20m -o json`;
    const { exit, stdout, stderr } = await run(line, { env: as('sandbox-partner') });
    expect(stderr).toContain(
      'This session ends at 2026-01-05T09:20:00.000Z: the service issued no refresh token',
    );
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      flow: 'client-credentials',
      session: 'account',
      account: accountId,
    });
    expect(forms).toEqual([
      {
        grant_type: 'client_credentials',
        brand_id: brandId,
        account_id: accountId,
        access_token_ttl: '1200',
      },
    ]);
    expect((await run('queue list')).exit).toBe(0);
  });

  test('an account session is not renewed if another account rejects it, which is explained', async () => {
    const { sandbox, run, forms, as } = await office();
    const { brandId, partnerAccountId } = sandbox.ready;
    const login = `login --flow client-credentials --session account --brand-id ${brandId} --partner-account-id ${partnerAccountId}`;
    expect((await run(login, { env: as('sandbox-partner') })).exit).toBe(0);
    const rejecting: HttpSend = (request) =>
      sandboxHttp(sandbox)({ ...request, headers: { ...request.headers, authorization: 'Bearer other' } });
    const { exit, stderr } = await run('queue list', { sandbox: { http: rejecting } });
    expect(exit).toBe(4);
    expect(stderr).toContain(
      `an account session can access only its own account (partner account ${partnerAccountId})`,
    );
    expect(forms).toHaveLength(1);
  });

  test('a signup session is distinguished from a lost one if a request for account data is rejected', async () => {
    const { sandbox, run, forms, as } = await office();
    const login = `login --flow client-credentials --session signup --brand-id ${sandbox.ready.brandId}`;
    expect((await run(login, { env: as('sandbox-partner') })).exit).toBe(0);
    const { exit, stderr } = await run('queue list');
    expect(exit).toBe(4);
    expect(stderr).toContain('a signup session can access numbers and common dictionaries');
    expect(stderr).toContain('--session account');
    expect(forms).toHaveLength(1);
  });

  test('the expiry is announced in advance, and afterwards the error (exit 4) names the flow', async () => {
    const { sandbox, run, as } = await office();
    const { brandId, accountId } = sandbox.ready;
    const line = `login --flow client-credentials --session account --brand-id ${brandId} --account-id ${accountId}`;
    await run(line, { env: as('sandbox-partner') });
    await sandbox.clock.advance(hour - 301_000);
    const before = await run('queue list');
    expect(before.exit).toBe(0);
    expect(before.stderr).toContain('This session ends in 6 min and cannot be renewed');
    await sandbox.clock.advance(301_000);
    const { exit, stderr } = await run('queue list');
    expect(exit).toBe(4);
    expect(stderr).toContain('cannot be renewed, because client-credentials sessions have no refresh token');
    expect(stderr).toContain('ucctl login --flow client-credentials');
  });

  test.each([
    ['--brand-id 1', 'needs --session'],
    ['--session signup', 'needs --brand-id'],
    ['--session signup --brand-id 1 --account-id 2', '--session signup cannot be used with an account'],
    ['--session account --brand-id 1', '--session account needs exactly one account'],
    ['--session signup --brand-id 1 --refresh-token-ttl 1d', '--refresh-token-ttl cannot be used with'],
    ['--session signup --brand-id 1 --public-client', 'needs a client secret'],
    ['--session signup --brand-id 1 --username a@b.example', '--username requires --flow password'],
  ])('%s is a usage error: nothing is sent', async (flags, message) => {
    const { run, sandbox } = await office();
    const { exit, stderr } = await run(`login --flow client-credentials ${flags}`);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(sandbox.requestLog()).toEqual([]);
  });
});

describe('spec:OAUTH-51 login --flow jwt', () => {
  test.each(['file', 'stdin'] as const)('takes the assertion from %s', async (from) => {
    const { sandbox, run, paths, forms } = await office();
    const { extensionId } = userOf(sandbox, '102');
    const assertion = sandbox.assertion({ sub: extensionId });
    const file = join(paths.config, '..', 'assertion.jwt');
    if (from === 'file') writeFileSync(file, `${assertion}\n`);
    const line = from === 'file' ? `--assertion-file ${file}` : '--assertion-stdin';
    const { exit, stdout, stderr } = await run(`login --flow jwt ${line} -o json`, {
      stdin: `${assertion}\n`,
    });
    expect(stderr).toContain('Signed in');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ flow: 'jwt', ownerId: extensionId });
    expect(forms[0]).toEqual({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
    expect(stdout + stderr).not.toContain(assertion);
  });

  test('explains that a rejected assertion may be for another server or too old', async () => {
    const { run } = await office();
    const { exit, stderr } = await run('login --flow jwt --assertion-stdin', { stdin: 'e30.e30.x' });
    expect(exit).toBe(4);
    expect(stderr).toContain('the service rejected the assertion');
  });

  test('rejects a text that is not an assertion before sending it', async () => {
    const { run, sandbox } = await office();
    expect((await run('login --flow jwt --assertion-stdin', { stdin: 'hello' })).exit).toBe(2);
    expect((await run('login --flow jwt --assertion-file /nonexistent')).exit).toBe(2);
    expect(sandbox.requestLog()).toEqual([]);
  });
});

describe('spec:OAUTH-7 forbidden flows', () => {
  test.each([
    ['sandbox-browser', 'password', 'Browser-Based and Server/Web, may not'],
    ['sandbox-web', 'password', 'ucctl login --flow code'],
    ['sandbox-desk', 'client-credentials', 'only apps of trusted partners may'],
  ])('%s by %s: the registration is named', async (clientId, flow, text) => {
    const { run, as, sandbox } = await office();
    const rest =
      flow === 'password'
        ? '--username a@example.com'
        : `--session signup --brand-id ${sandbox.ready.brandId}`;
    const { exit, stderr } = await run(`login --flow ${flow} ${rest}`, {
      env: { ...as(clientId), UCCTL_PASSWORD: 'x' },
    });
    expect(exit).toBe(4);
    expect(stderr).toContain(`this app may not use the ${flow} flow`);
    expect(stderr).toContain(text);
  });
});

describe('spec:CURRENT-16 a service that accepts only code and jwt', () => {
  test.each(['password --username a@example.com', 'client-credentials --session signup --brand-id 1210'])(
    'the rejection of --flow %s names both flows with their commands',
    async (flow) => {
      const { run, sandbox } = await office();
      await sandbox.control('PATCH', '/settings', { grants: 'current' });
      const { exit, stderr } = await run(`login --flow ${flow}`, { env: { UCCTL_PASSWORD: 'x' } });
      expect([exit, stderr]).toEqual([
        4,
        expect.stringContaining('current services reject this flow for all apps'),
      ]);
      expect(stderr).toContain('ucctl login --flow code');
      expect(stderr).toContain('ucctl login --flow jwt --assertion-stdin');
    },
  );

  test('an assertion from a pipe signs in, and is not on the command line', async () => {
    const { run, sandbox, forms } = await office();
    await sandbox.control('PATCH', '/settings', { grants: 'current' });
    const stdin = ` ${sandbox.assertion({ sub: userOf(sandbox, '102').extensionId })} \n`;
    const { exit } = await run('login --flow jwt --assertion-stdin', { stdin });
    expect([exit, forms.at(-1)?.['assertion']]).toEqual([0, stdin.trim()]);
  });
});

describe('login', () => {
  test('spec:OAUTH-20, OAUTH-21 access_token_ttl and refresh_token_ttl are requested, also for a renewal', async () => {
    const { sandbox, run, forms } = await office();
    const { username, password } = userOf(sandbox, '102');
    const line = `login --flow password --username ${username} --access-token-ttl 10m --refresh-token-ttl 1d`;
    expect((await run(line, { env: { UCCTL_PASSWORD: password } })).exit).toBe(0);
    await sandbox.clock.advance(hour);
    expect((await run('queue list')).exit).toBe(0);
    expect(forms).toMatchObject([
      { grant_type: 'password', access_token_ttl: '600', refresh_token_ttl: '86400' },
      { grant_type: 'refresh_token', access_token_ttl: '600', refresh_token_ttl: '86400' },
    ]);
  });

  test.each([
    ['jwt', '--flow jwt'],
    ['no-browser', '--no-browser'],
    ['client-id', '--client-id ID'],
  ])('the argument %s names the flag %s', async (word, flag) => {
    const { run } = await office();
    const { exit, stderr } = await run(`login ${word}`);
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(`unexpected argument "${word}"\n  try:     did you mean ${flag}?`),
    ]);
  });

  test('--secret-stdin and --password-stdin together read two lines', async () => {
    const { sandbox, run } = await office();
    const { username, password } = userOf(sandbox, '102');
    const line = `login --flow password --username ${username} --secret-stdin --password-stdin`;
    const env = { UCCTL_CLIENT_SECRET: '' };
    const stdin = `${sandbox.ready.clientSecret}\n${password}\n`;
    expect((await run(line, { env, stdin })).exit).toBe(0);
    const short = await run(line, { env, stdin: `${sandbox.ready.clientSecret}\n` });
    expect(short.exit).toBe(2);
    expect(short.stderr).toContain('--password-stdin: standard input contains too few lines');
  });

  test('a redirect URI with a custom scheme is completed by paste, and the browser is still opened', async () => {
    const { run } = await office();
    const opened: string[] = [];
    const { exit, stderr } = await run('login --redirect-uri myapp://callback', {
      stdin: 'myapp://callback?code=x&state=y',
      openUrl(url) {
        opened.push(url);
        return Promise.resolve(true);
      },
    });
    expect(exit).toBe(4);
    expect(stderr).toContain('belongs to another sign-in');
    expect(new URL(opened[0] ?? '').searchParams.get('redirect_uri')).toBe('myapp://callback');
  });

  test('spec:CLIENT-30 --lang sends Accept-Language', async () => {
    const { sandbox, run, languages } = await office();
    const { username, password } = userOf(sandbox, '102');
    await run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    await run('queue list --lang de-DE');
    expect(languages).toEqual([undefined, 'de-DE']);
  });
});

describe('status', () => {
  test('spec:PERMISSION-3 to PERMISSION-29 Includes are applied transitively', async () => {
    const { sandbox, run, as } = await office();
    const login = `login --flow client-credentials --session signup --brand-id ${sandbox.ready.brandId}`;
    await run(login, { env: as('sandbox-partner') });
    const { permissions } = JSON.parse((await run('status -o json')).stdout) as { permissions: string[] };
    expect(permissions).toEqual([...new Set(permissions)].sort());
    expect(permissions).toEqual(expect.arrayContaining(['ReadAccounts']));
  });

  test('spec:CLIENT-30 permissions are unknown after a password sign-in, never missing', async () => {
    const { sandbox, run } = await office();
    const { username, password } = userOf(sandbox, '102');
    await run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    expect((await run('status', { terminal: true })).stdout).toMatch(/Permissions\S*\s+unknown/);
    expect(JSON.parse((await run('status -o json')).stdout)).not.toHaveProperty('permissions');
  });
});

describe('logout --verify', () => {
  async function signedIn(): Promise<Office> {
    const at = await office();
    const { username, password } = userOf(at.sandbox, '102');
    await at.run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    return at;
  }

  test('spec:OAUTH-55 sends a request with the former token, which must be rejected', async () => {
    const { run } = await signedIn();
    const { exit, stdout } = await run('logout --verify -o json');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ signedOut: true, verified: 'rejected' });
  });

  test('ends with 1 when the service answers 200 and revokes nothing', async () => {
    const { sandbox, run } = await signedIn();
    const deaf: HttpSend = (request) =>
      sandboxHttp(sandbox)(
        request.url.pathname.endsWith('/revoke') ? { ...request, body: 'token=malformed' } : request,
      );
    const { exit, stderr } = await run('logout --verify', { sandbox: { http: deaf } });
    expect(exit).toBe(1);
    expect(stderr).toContain('still accepts the previous access token');
    expect((await run('status')).exit).toBe(4);
  });
});

test('profile remove removes any profile, but not one that is signed in', async () => {
  const { sandbox, run } = await office();
  const { username, password } = userOf(sandbox, '102');
  await run(`login -p lab --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
  await run('profile add other --store file');
  const removal = await run('profile remove lab -p other');
  expect(removal.exit).toBe(11);
  expect(removal.stderr).toContain('ucctl logout -p lab');
  const dry = await run('profile remove lab -p other --dry-run -o json');
  expect([dry.exit, dry.stdout]).toEqual([11, '']);
  expect(JSON.parse(dry.stderr)).toMatchObject({
    error: { code: 'profile_signed_in', hint: 'ucctl logout -p lab' },
  });
  await run('logout -p lab');
  expect((await run('profile remove lab -p other')).exit).toBe(0);
  expect(JSON.parse((await run('profile list -o json')).stdout)).toMatchObject([{ name: 'other' }]);
});

test('profile remove does not remove a profile whose login ends while it waits for the config file', async () => {
  const { sandbox, run, paths } = await office();
  const { username, password } = userOf(sandbox, '102');
  await run(`login -p lab --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
  const folder = sessionsFolder(paths.config);
  renameSync(folder, `${folder}.before`);
  const { removal } = await withProcessLock(join(paths.config, 'config.lock.db'), {}, async () => {
    const waiting = run('profile remove lab -p other');
    // The removal now reads what it can read without the lock.
    for (let turn = 0; turn < 1000; turn += 1) await setImmediate();
    renameSync(`${folder}.before`, folder);
    return { removal: waiting };
  });
  expect((await removal).exit).toBe(11);
  expect((await run('status -p lab')).exit).toBe(0);
});

test('a token that expires right after its renewal is reported as expired, with the time to wait', async () => {
  const { sandbox, run } = await office();
  const { username, password } = userOf(sandbox, '102');
  // The clock of the machine does not follow the clock of the sandbox.
  let now = sandbox.clock.now();
  const more = { now: () => now, env: { UCCTL_PASSWORD: password } };
  await run(`login --flow password --username ${username}`, more);
  await sandbox.clock.advance(2 * hour);
  expect((await run('queue list', more)).exit).toBe(0);
  await sandbox.clock.advance(5 * 24 * hour);
  const { exit, stderr } = await run('queue list -o json', more);
  expect(exit).toBe(4);
  expect(JSON.parse(stderr)).toMatchObject({
    error: {
      message: expect.stringContaining('the access token expired right after its renewal') as string,
      hint: 'run the command again in 10 s',
      server_code: 'OAU-128',
    },
  });
  now += 10_000;
  expect((await run('queue list', more)).exit).toBe(0);
});
