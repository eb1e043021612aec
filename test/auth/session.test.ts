import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuth } from '../../src/auth/index.ts';
import type { Auth } from '../../src/runtime/auth.ts';
import { ConnectionError, type HttpSend } from '../../src/client/index.ts';
import type { Paths } from '../../src/runtime/context.ts';
import { startSandbox, type Sandbox, type SandboxSettings } from '../../src/sandbox/index.ts';
import { authEnvironment } from '../support/auth-environment.ts';
import { sandboxHttp, userOf } from '../support/sandbox.ts';
import { temporaryPaths } from '../support/temporary.ts';

const hour = 3_600_000;

interface Stage {
  readonly sandbox: Sandbox;
  readonly paths: Paths;
  /** Requests to the token endpoint so far. */
  readonly grants: () => number;
  /** As another process of the same user would have it. */
  readonly process: (http?: HttpSend) => Promise<Auth>;
  readonly signIn: () => Promise<Auth>;
  readonly stored: () => string;
}

async function stage(settings: Partial<SandboxSettings> = {}, clientId?: string): Promise<Stage> {
  const sandbox = await startSandbox({ listen: false, settings });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  let grants = 0;
  const counting: HttpSend = (request) => {
    if (request.url.pathname.endsWith('/token')) grants += 1;
    return sandboxHttp(sandbox)(request);
  };
  const process = async (http = counting): Promise<Auth> =>
    createAuth(
      await authEnvironment({
        http,
        paths,
        env: { UCCTL_BASE_URL: sandbox.url, UCCTL_STORE: 'file' },
        now: () => sandbox.clock.now(),
      }),
    );
  const signIn = async (): Promise<Auth> => {
    const auth = await process();
    const { username, extension, password } = userOf(sandbox, '102');
    const app = sandbox.ready.apps.find((one) => one.clientId === (clientId ?? sandbox.ready.clientId));
    await auth.signInByPassword({
      baseUrl: new URL(sandbox.url),
      clientId: app?.clientId ?? '',
      clientSecret: app?.clientSecret ?? undefined,
      username,
      extension,
      password,
    });
    grants = 0;
    return auth;
  };
  const stored = (): string => readFileSync(join(paths.config, 'sessions', 'default.json'), 'utf8');
  return { sandbox, paths, grants: () => grants, process, signIn, stored };
}

/** Whether the service takes the token. */
async function isAccepted(sandbox: Sandbox, token: string): Promise<boolean> {
  const url = new URL('/restapi/v1.0/account/~/extension/~', 'http://sandbox');
  const reply = await sandbox.fetch(new Request(url, { headers: { authorization: `Bearer ${token}` } }));
  return reply.status === 200;
}

describe('a session', () => {
  test('returns the stored token to every process until a minute before its expiry, plus or minus 30 s, then renews it', async () => {
    const { sandbox, signIn, process, grants } = await stage();
    const token = await (await signIn()).current();
    await sandbox.clock.advance(hour - 91_000);
    expect(await (await process()).current()).toBe(token);
    expect(grants()).toBe(0);
    await sandbox.clock.advance(61_000 + 1000);
    expect(await (await process()).current()).not.toBe(token);
    expect(grants()).toBe(1);
  });

  test('is renewed once by twenty calls and twenty processes together', async () => {
    const { sandbox, signIn, process, grants } = await stage();
    await signIn();
    await sandbox.clock.advance(2 * hour);
    const all = await Promise.all(Array.from({ length: 20 }, () => process()));
    const tokens = await Promise.all(all.flatMap((auth) => [auth.current(), auth.current()]));
    expect(new Set(tokens).size).toBe(1);
    expect(grants()).toBe(1);
  });

  test('after a 401 uses the token that another process has stored, without renewing', async () => {
    const { signIn, process, grants } = await stage();
    const first = await signIn();
    const old = await first.current();
    const second = await process();
    const newer = await second.renew(old);
    expect(grants()).toBe(1);
    expect(newer).not.toBe(old);
    expect(await first.renew(old)).toBe(newer);
    expect(grants()).toBe(1);
    expect(await first.current()).toBe(newer);
  });

  test('remains unchanged if the service is down, and the same token is sent in the retry', async () => {
    const { sandbox, signIn, process, stored } = await stage();
    await signIn();
    const before = stored();
    await sandbox.clock.advance(2 * hour);
    const origin = sandbox.url;
    const down: HttpSend = () =>
      Promise.reject(new ConnectionError('ECONNRESET', 'unknown', origin, undefined));
    await expect((await process(down)).current()).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(stored()).toBe(before);
    expect(await isAccepted(sandbox, await (await process()).current())).toBe(true);
  });

  test('a failed early renewal does not stop the command while the token is valid', async () => {
    const { sandbox, signIn, process } = await stage();
    const token = await (await signIn()).current();
    await sandbox.clock.advance(hour - 20_000);
    const down: HttpSend = () =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', sandbox.url, undefined));
    expect(await (await process(down)).current()).toBe(token);
  });

  test('lost between the reply and the store is explained, and renewal attempts are limited', async () => {
    const { sandbox, signIn, process, stored, grants } = await stage();
    await signIn();
    const before = stored();
    await sandbox.clock.advance(2 * hour);
    const lossy: HttpSend = async (request) => {
      await (await sandboxHttp(sandbox)(request)).discard();
      throw new ConnectionError('ECONNRESET', 'unknown', sandbox.url, undefined);
    };
    await expect((await process(lossy)).current()).rejects.toMatchObject({ name: 'ConnectionError' });
    const lost = {
      name: 'SignInRequiredError',
      message: expect.stringMatching(/^the session was lost during a renewal at 2026-01-05T11:00:00.000Z/),
    };
    await expect((await process()).current()).rejects.toMatchObject(lost);
    expect(grants()).toBe(1);
    await expect((await process()).current()).rejects.toMatchObject(lost);
    expect(grants()).toBe(1);
    expect(stored()).toBe(before);
    await signIn();
    expect(await isAccepted(sandbox, await (await process()).current())).toBe(true);
  });

  test('lost, then renewed without a network, is still explained', async () => {
    const { sandbox, signIn, process } = await stage();
    await signIn();
    await sandbox.clock.advance(2 * hour);
    const lossy: HttpSend = async (request) => {
      await (await sandboxHttp(sandbox)(request)).discard();
      throw new ConnectionError('ECONNRESET', 'unknown', sandbox.url, undefined);
    };
    const offline: HttpSend = () =>
      Promise.reject(new ConnectionError('ECONNREFUSED', 'no', sandbox.url, undefined));
    for (const network of [lossy, offline])
      await expect((await process(network)).current()).rejects.toMatchObject({ name: 'ConnectionError' });
    await expect((await process()).current()).rejects.toMatchObject({
      message: expect.stringMatching(/^the session was lost during a renewal at 2026-01-05T11:00/),
    });
  });

  test('continues if the service accepts a repeated refresh token', async () => {
    const { sandbox, signIn, process } = await stage({ refreshGraceSeconds: 10 });
    await signIn();
    await sandbox.clock.advance(2 * hour);
    const lossy: HttpSend = async (request) => {
      await (await sandboxHttp(sandbox)(request)).discard();
      throw new ConnectionError('ECONNRESET', 'unknown', sandbox.url, undefined);
    };
    await expect((await process(lossy)).current()).rejects.toMatchObject({ name: 'ConnectionError' });
    expect(await isAccepted(sandbox, await (await process()).current())).toBe(true);
  });

  test('without a refresh token ends with its access token', async () => {
    const { sandbox, signIn, process, grants } = await stage({}, 'sandbox-short');
    const auth = await signIn();
    await sandbox.clock.advance(hour + 1);
    await expect((await process()).current()).rejects.toMatchObject({
      name: 'SignInRequiredError',
      reason: 'expired',
    });
    expect(grants()).toBe(0);
    expect((await auth.describe())?.alive).toBe(false);
  });

  test('that expired after a week reports it, and suggests signing in', async () => {
    const { sandbox, signIn, process } = await stage();
    await signIn();
    await sandbox.clock.advance(8 * 24 * hour);
    await expect((await process()).current()).rejects.toMatchObject({
      name: 'SignInRequiredError',
      message: expect.stringMatching(/^the session has ended \(/),
    });
  });

  test('is not sent to another origin', async () => {
    const { signIn, paths, sandbox } = await stage();
    await signIn();
    const asked: string[] = [];
    const environment = await authEnvironment({
      paths,
      env: { UCCTL_BASE_URL: 'https://other.example.test', UCCTL_STORE: 'file' },
      now: () => sandbox.clock.now(),
      http(request) {
        asked.push(request.url.href);
        return sandboxHttp(sandbox)(request);
      },
    });
    const elsewhere = createAuth(environment);
    await expect(elsewhere.current()).rejects.toMatchObject({
      name: 'SignInRequiredError',
      message: expect.stringContaining('ucctl does not send its token to https://other.example.test'),
    });
    await expect(elsewhere.renew('x')).rejects.toMatchObject({ name: 'SignInRequiredError' });
    expect(asked).toEqual([]);
  });

  test('deleted while another process uses it is not restored', async () => {
    const { sandbox, signIn, process } = await stage();
    const auth = await signIn();
    const other = await process();
    await other.current();
    await auth.signOut();
    await sandbox.clock.advance(2 * hour);
    await expect(other.current()).rejects.toMatchObject({ reason: 'no-session' });
    expect(await auth.describe()).toBeUndefined();
  });

  test('of the environment is used as it is, and never renewed', async () => {
    const environment = await authEnvironment({ env: { UCCTL_TOKEN: 'from-outside' } });
    const auth = createAuth(environment);
    expect(await auth.current()).toBe('from-outside');
    await expect(auth.renew('from-outside')).rejects.toMatchObject({ reason: 'rejected' });
  });
});
