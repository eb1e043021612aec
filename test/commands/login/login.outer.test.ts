import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Paths } from '../../../src/runtime/context.ts';
import { startSandbox, type Sandbox } from '../../../src/sandbox/index.ts';
import { freePort } from '../../support/free-port.ts';
import { runUcctl, type RunOptions, type RunResult } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { secretServiceMissing, startSecretService, type Situation } from '../../support/secret-service.ts';
import { temporaryPaths } from '../../support/temporary.ts';

interface Office {
  readonly sandbox: Sandbox;
  readonly paths: Paths;
  readonly run: (line: string, more?: RunOptions) => Promise<RunResult>;
}

async function office(env: Readonly<Record<string, string>> = {}): Promise<Office> {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const base = {
    UCCTL_BASE_URL: sandbox.url,
    UCCTL_CLIENT_ID: sandbox.ready.clientId,
    UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
    UCCTL_STORE: 'file',
    ...env,
  };
  const run: Office['run'] = (line, more = {}) =>
    runUcctl(line, {
      sandbox: { http: sandboxHttp(sandbox) },
      paths,
      now: () => sandbox.clock.now(),
      ...more,
      env: { ...base, ...more.env },
    });
  return { sandbox, paths, run };
}

function everythingIn(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

const secret = /s3cr3t|Sandbox-\d+|accessToken|refreshToken/;

describe('login --flow password', () => {
  test('signs in with a number and an extension, and the profile remembers where, not the secrets', async () => {
    const { sandbox, paths, run } = await office();
    const { extension, password } = userOf(sandbox, '102');
    const line = `login --flow password --username ${sandbox.ready.mainNumber} --extension ${extension} --password-stdin -o json`;
    const { exit, stdout, stderr } = await run(line, { stdin: `${password}\n` });
    expect(stderr).toContain('Signed in to');
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      profile: 'default',
      flow: 'password',
      username: sandbox.ready.mainNumber,
      extension,
      ownerId: userOf(sandbox, '102').extensionId,
    });
    const config = readFileSync(join(paths.config, 'config.json'), 'utf8');
    expect(JSON.parse(config)).toEqual({
      version: 1,
      current: 'default',
      profiles: {
        default: {
          baseUrl: sandbox.url,
          clientId: sandbox.ready.clientId,
          dialect: 'spec',
          store: 'file',
        },
      },
    });
    expect(config).not.toMatch(secret);
    expect(stdout + stderr).not.toMatch(secret);
  });

  test('with a company number alone reports that it signs in the main administrator', async () => {
    const { sandbox, run } = await office();
    const { password, extensionId } = userOf(sandbox, '100');
    const line = `login --flow password --username ${sandbox.ready.mainNumber} -o json`;
    const { exit, stdout, stderr } = await run(line, { env: { UCCTL_PASSWORD: password } });
    expect(exit).toBe(0);
    expect(stderr).toContain('main administrator');
    expect(JSON.parse(stdout)).toMatchObject({ ownerId: extensionId });
  });

  test('accepts NUMBER*EXTENSION', async () => {
    const { sandbox, run } = await office();
    const { password } = userOf(sandbox, '103');
    const line = `login --flow password --username ${sandbox.ready.mainNumber}*103`;
    expect((await run(line, { env: { UCCTL_PASSWORD: password } })).exit).toBe(0);
  });

  test('distinguishes a wrong password from a wrong client secret, both with exit 4', async () => {
    const { sandbox, run } = await office();
    const { username } = userOf(sandbox, '102');
    const line = `login --flow password --username ${username}`;
    const password = await run(line, { env: { UCCTL_PASSWORD: 'not-the-password' } });
    expect(password.exit).toBe(4);
    expect(password.stderr).toContain('the service rejected the user name, extension or password');
    const client = await run(line, {
      env: { UCCTL_PASSWORD: 'not-the-password', UCCTL_CLIENT_SECRET: 'not-the-secret' },
    });
    expect(client.exit).toBe(4);
    expect(client.stderr).toContain('the client ID or the client secret is wrong');
    expect((await run('status')).exit).toBe(4);
  });

  test('explains a flow that the registration forbids', async () => {
    const { sandbox, run } = await office({ UCCTL_CLIENT_ID: 'sandbox-web', UCCTL_PASSWORD: 'any' });
    const app = sandbox.ready.apps.find(({ clientId }) => clientId === 'sandbox-web');
    const { exit, stderr } = await run('login --flow password --username a@example.com', {
      env: { UCCTL_CLIENT_SECRET: app?.clientSecret ?? '' },
    });
    expect(exit).toBe(4);
    expect(stderr).toContain('this app may not use the password flow');
    expect(stderr).toContain('ucctl login --flow code');
  });

  test.each([
    ['login --flow password --username 5550100', 'is not a valid E.164 number or e-mail address'],
    ['login --username +16505550100', '--username requires --flow password'],
    [
      'login --flow password --username +16505550100*1 --extension 2',
      'has extension 1, but --extension is 2',
    ],
    ['login --base-url http://example.test', 'which ucctl allows only for this machine'],
  ])('%s is a usage error: nothing is sent', async (line, message) => {
    const { run, sandbox } = await office({ UCCTL_PASSWORD: 'x' });
    const { exit, stderr } = await run(line);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
    expect(sandbox.requestLog()).toEqual([]);
  });

  test('never prompts without a terminal', async () => {
    const { run } = await office();
    const { exit, stderr } = await run('login --flow password --username a@example.com');
    expect(exit).toBe(9);
    expect(stderr).toContain('--password-stdin');
  });
});

describe('login --flow code', () => {
  test('with PKCE sends a challenge, and --no-pkce none', async () => {
    const { run } = await office();
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const seen: URLSearchParams[] = [];
    const openUrl = (url: string): Promise<boolean> => {
      seen.push(new URL(url).searchParams);
      return Promise.resolve(true);
    };
    for (const flag of ['', '--no-pkce']) {
      await run(`login --redirect-uri ${redirectUri} --browser-timeout 1 ${flag}`, { openUrl });
    }
    expect(seen[0]?.get('code_challenge_method')).toBe('S256');
    expect(seen[0]?.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(seen[0]?.get('state')).toMatch(/^[\w-]{43}$/);
    expect(seen[1]?.has('code_challenge')).toBe(false);
    expect(seen[1]?.get('state')).not.toBe(seen[0]?.get('state'));
  });

  test('without a browser rejects an address of another sign-in', async () => {
    const { run } = await office();
    const stdin = 'http://127.0.0.1:8734/callback?code=x&state=y\n';
    const { exit, stderr } = await run('login --no-browser', { stdin });
    expect(exit).toBe(4);
    expect(stderr).toContain('/restapi/oauth/authorize?response_type=code');
    expect(stderr).not.toContain('plain text file');
    expect(stderr).toContain(
      'cannot use the pasted address: the "state" parameter belongs to another sign-in',
    );
  });

  test('reports which port is in use', async () => {
    const { run } = await office();
    const taken = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => {
      taken.listen(port, '127.0.0.1', resolve);
    });
    onTestFinished(() => void taken.close());
    const { exit, stderr } = await run(`login --redirect-uri http://127.0.0.1:${port}/callback`);
    expect(exit).toBe(12);
    expect(stderr).toContain(`port ${port} of the redirect URI is in use`);
  });

  test('exits at once after Ctrl-C and releases the port', async () => {
    const { run } = await office();
    const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
    const stop = new AbortController();
    const { exit } = await run(`login --redirect-uri ${redirectUri}`, {
      signal: stop.signal,
      openUrl() {
        stop.abort(new Error('interrupted'));
        return Promise.resolve(true);
      },
    });
    expect(exit).toBe(130);
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  });
});

describe('status and logout', () => {
  test('the next step names the profile of --profile', async () => {
    const { run } = await office();
    expect((await run('profile add two --base-url https://two.example')).exit).toBe(0);
    const { exit, stderr } = await run('status -p two');
    expect(exit).toBe(4);
    expect(stderr).toContain('profile "two" is not signed in');
    expect(stderr).toContain('try:     ucctl login -p two');
  });

  test('show who is signed in, revoke the session at the service, and delete it', async () => {
    const { sandbox, run, paths } = await office();
    const { username, password } = userOf(sandbox, '102');
    await run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    const status = await run('status -o json');
    expect(JSON.parse(status.stdout)).toMatchObject({
      signedIn: true,
      username,
      store: 'file',
      flow: 'password',
    });
    const { exit, stderr } = await run('logout');
    expect(exit).toBe(0);
    expect(stderr).toContain('Signed out of');
    expect(sandbox.requestLog().filter(({ path }) => path.endsWith('/revoke'))).toHaveLength(2);
    expect(everythingIn(paths.config)).not.toMatch(secret);
    const after = await run('status');
    expect(after.exit).toBe(4);
    expect(after.stderr).toContain('ucctl login');
    expect((await run('logout')).stderr).toContain('was not signed in');
  });

  test('a session whose renewal the service rejected is expired, whatever its times say', async () => {
    const { sandbox, run } = await office();
    const { username, password } = userOf(sandbox, '102');
    await run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    await sandbox.control('POST', '/tokens/revoke', { user: '102' });
    const presence = await run('presence show');
    expect(presence.exit).toBe(4);
    const { exit, stdout, stderr } = await run('status');
    expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' });
    expect(stderr).toContain('the session has ended');
    await run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    expect((await run('status')).exit).toBe(0);
  });

  test('a rejected token of the environment does not suggest signing in', async () => {
    const { run } = await office();
    const { exit, stderr } = await run('presence show', { env: { UCCTL_TOKEN: 'not-a-token' } });
    expect(exit).toBe(4);
    expect(stderr).toContain('set UCCTL_TOKEN to a valid token, or unset it');
  });

  test('delete the session also if the service is down, and explain what that means', async () => {
    const { sandbox, run, paths } = await office();
    const { username, password } = userOf(sandbox, '102');
    await run(`login --flow password --username ${username}`, { env: { UCCTL_PASSWORD: password } });
    const down = {
      http: () => Promise.reject(Object.assign(new Error('down'), { name: 'ConnectionError' })),
    };
    const { exit, stderr } = await run('logout', { sandbox: down });
    expect(exit).toBe(1);
    expect(stderr).toContain('did not confirm the revocation');
    expect(everythingIn(paths.config)).not.toMatch(secret);
  });
});

const missing = secretServiceMissing();

describe.skipIf(missing)('login with the keychain', () => {
  async function keyring(situation: Situation): Promise<Readonly<Record<string, string>>> {
    const service = await startSecretService(situation);
    onTestFinished(() => service.stop());
    return { ...service.env, UCCTL_STORE: '' };
  }

  test('keeps every token and secret out of the config folder', async () => {
    const env = await keyring('unlocked');
    const { sandbox, run, paths } = await office(env);
    const { username, password } = userOf(sandbox, '102');
    const { exit } = await run(`login --flow password --username ${username}`, {
      env: { UCCTL_PASSWORD: password },
    });
    expect(exit).toBe(0);
    const status = await run('status -o json');
    expect(JSON.parse(status.stdout)).toMatchObject({ signedIn: true, username, store: 'keychain' });
    expect(everythingIn(paths.config)).toContain(sandbox.ready.clientId);
    expect(everythingIn(paths.config)).not.toMatch(secret);
    expect((await run('logout')).exit).toBe(0);
    expect((await run('status')).exit).toBe(4);
  });

  test.each<[Situation, string]>([
    ['locked', 'the keyring is locked'],
    ['no-default', 'has no default keyring'],
    ['no-provider', 'no keychain service is available'],
  ])(
    '%s: rejects the sign-in before anything is sent, and writes nothing in plain text',
    async (situation, message) => {
      const env = await keyring(situation);
      const { sandbox, run, paths } = await office(env);
      const { username, password } = userOf(sandbox, '102');
      const { exit, stderr } = await run(`login --flow password --username ${username}`, {
        env: { UCCTL_PASSWORD: password },
      });
      expect(exit).toBe(12);
      expect(stderr).toContain(message);
      expect(stderr).toContain('--store file');
      expect(sandbox.requestLog()).toEqual([]);
      expect(everythingIn(paths.config)).not.toMatch(secret);
    },
  );
});
