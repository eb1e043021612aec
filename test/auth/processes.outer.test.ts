import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { startUcctl, type Started } from '../support/process.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../support/sandbox.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

const hour = 3_600_000;

function ucctl(args: readonly string[], env: Readonly<Record<string, string>>): Started {
  const started = startUcctl(args, { env });
  onTestFinished(() => void started.child.kill('SIGKILL'));
  return started;
}

describe('many processes with one session', () => {
  test('renew it once, because its refresh token works once, and store the compiled program concurrently', async () => {
    const sandbox = await startSandbox({ startTime: Date.now() - 2 * hour });
    onTestFinished(() => sandbox.close());
    const paths = temporaryPaths();
    const home = temporaryFolder();
    const env = {
      HOME: home,
      UCCTL_CACHE_DIR: join(home, 'cache'),
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CONFIG_DIR: paths.config,
      UCCTL_STORE: 'file',
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
      // Twelve processes at once may take longer than the default on a busy machine.
      UCCTL_TIMEOUT: '300',
    };
    const { username, password } = userOf(sandbox, '100');
    const signedIn = await runUcctl(`login --flow password --username ${username}`, {
      sandbox: { http: sandboxHttp(sandbox) },
      paths,
      env: { ...env, UCCTL_PASSWORD: password },
      now: () => sandbox.clock.now(),
    });
    expect(signedIn.exit).toBe(0);
    const runs = Array.from({ length: 12 }, () => ucctl(['queue', 'list', '-o', 'json'], env).ended);
    // On a busy machine, a process may say that it waits for the renewal.
    const waiting = /^warning: Waiting: another ucctl command \(.*\) is renewing this session\n/;
    const ends = (await Promise.all(runs)).map(({ exit, stderr }) => [exit, stderr.replace(waiting, '')]);
    expect(ends).toEqual(runs.map(() => [0, '']));
    expect(sandbox.requestLog().filter(({ path }) => path.endsWith('/token'))).toHaveLength(2);
    const left = readdirSync(join(home, 'cache'), { recursive: true, encoding: 'utf8' });
    expect(left.filter((name) => /\.\d+$/.test(name))).toEqual([]);
    expect((await ucctl(['queue', 'list'], env).ended).exit).toBe(0);
  });

  test('are not delayed by a process that was killed during a renewal', async () => {
    const { env, nextRequest, pendingReplies } = await pausedService('/token');
    const first = nextRequest();
    const holder = ucctl(['queue', 'list'], env);
    await first;
    const second = nextRequest();
    const waiting = ucctl(['queue', 'list'], env);
    holder.child.kill('SIGKILL');
    await holder.ended;
    // A lock that its owner's end did not free would be waited for until the limit, and end this one with an error.
    await second;
    pendingReplies[1]?.(renewal);
    expect((await waiting.ended).exit).toBe(0);
    expect(pendingReplies).toHaveLength(2);
  });
});

describe('ucctl logout', () => {
  test('during a renewal waits for it, revokes the new tokens, and leaves no session', async () => {
    const { env, nextRequest, pendingReplies, sessions, bodies } = await pausedService('/token');
    const asked = nextRequest();
    const renewing = ucctl(['queue', 'list'], env);
    await asked;
    const logout = await startAsking(['logout'], env);
    expect(bodies('/revoke')).toEqual([]);
    pendingReplies[0]?.(renewal);
    expect((await logout.ended).exit).toBe(0);
    // What it was doing may have been done before or after the end of its session.
    expect([0, 4]).toContain((await renewing.ended).exit);
    expect(bodies('/revoke').map((body) => new URLSearchParams(body).get('token'))).toEqual(['r2', 'new']);
    expect(bodies('/token')).toHaveLength(1);
    expect(readdirSync(sessions)).toEqual([]);
    expect((await ucctl(['queue', 'list'], env).ended).exit).toBe(4);
  });

  test('does not delay other processes while it runs, and prevents renewals of its session', async () => {
    const { env, nextRequest, pendingReplies, sessions, bodies } = await pausedService('/revoke');
    const asked = nextRequest();
    const logout = ucctl(['logout'], env);
    await asked;
    expect(await ucctl(['queue', 'list'], env).ended).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('is not signed in'),
    });
    const second = nextRequest();
    pendingReplies[0]?.('');
    await second;
    pendingReplies[1]?.('');
    expect((await logout.ended).exit).toBe(0);
    expect(bodies('/token')).toEqual([]);
    expect(readdirSync(sessions)).toEqual([]);
  });

  test('that is stopped during the revocation reports that its tokens may still be valid', async () => {
    const { env, nextRequest, sessions } = await pausedService('/revoke');
    const asked = nextRequest();
    const logout = ucctl(['logout'], env);
    await asked;
    logout.child.kill('SIGINT');
    const { exit, stderr } = await logout.ended;
    expect([exit, stderr]).toEqual([130, expect.stringContaining('its tokens may be valid at')]);
    expect(readdirSync(sessions)).toEqual([]);
  });
});

/** Starts it with a word on stderr, `asks`, when it comes to the lock of the session; resolves then. */
async function startAsking(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Started> {
  const hook = join(temporaryFolder(), 'hook.cjs');
  writeFileSync(
    hook,
    `const fs = require('node:fs');
    const { writeFileSync } = fs;
    fs.writeFileSync = (file, ...more) => {
      if (String(file).endsWith('.lock.db')) process.stderr.write('asks');
      return writeFileSync(file, ...more);
    };`,
  );
  const run = ucctl(args, { ...env, NODE_OPTIONS: `--require ${hook}` });
  await new Promise<void>((resolve) => {
    run.child.stderr?.on('data', (piece: Buffer) => {
      if (piece.toString().includes('asks')) resolve();
    });
  });
  return run;
}

const renewal = '{"access_token":"new","token_type":"bearer","expires_in":3600,"refresh_token":"r2"}';

/** A service that answers requests to one path only when the test sends the reply, and a home with a session whose access token has expired. */
async function pausedService(path: string) {
  const pendingReplies: ((reply: string) => void)[] = [];
  const seen: { readonly url: string; readonly body: string }[] = [];
  let onRequest: () => void = () => undefined;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = request.url ?? '';
    seen.push({ url, body: await text(request) });
    response.setHeader('content-type', 'application/json');
    if (url.endsWith(path)) {
      pendingReplies.push((reply) => response.end(reply));
      onRequest();
    } else response.end(url.endsWith('/revoke') ? '' : '{"records":[]}');
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { config } = temporaryPaths();
  const sessions = join(config, 'sessions');
  mkdirSync(sessions, { recursive: true, mode: 0o700 });
  const session = { version: 1, origin, clientId: 'k', clientSecret: 's', flow: 'code', accessToken: 'old' };
  writeFileSync(
    join(sessions, 'default.json'),
    JSON.stringify({ ...session, expiresAt: 1, refreshToken: 'r', signedInAt: 0, generation: 1 }),
    { mode: 0o600 },
  );
  return {
    env: {
      HOME: temporaryFolder(),
      UCCTL_BASE_URL: origin,
      UCCTL_CONFIG_DIR: config,
      UCCTL_STORE: 'file',
    },
    pendingReplies,
    sessions,
    bodies: (end: string) => seen.filter(({ url }) => url.endsWith(end)).map(({ body }) => body),
    nextRequest: (): Promise<void> =>
      new Promise((resolve) => {
        onRequest = resolve;
      }),
  };
}
