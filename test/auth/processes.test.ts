import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/index.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../support/sandbox.ts';
import { temporaryPaths } from '../support/temporary.ts';

const HOUR = 3_600_000;

interface Run {
  readonly child: ChildProcess;
  readonly ended: Promise<{ readonly exit: number | null; readonly stderr: string }>;
}

function ucctl(args: readonly string[], env: Readonly<Record<string, string>>): Run {
  const child = spawn(process.execPath, ['bin/ucctl.cjs', ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr?.on('data', (piece: Buffer) => (stderr += piece.toString()));
  const ended = new Promise<{ exit: number | null; stderr: string }>((resolve) => {
    child.once('close', (exit) => resolve({ exit, stderr }));
  });
  return { child, ended };
}

describe('many processes with one session', () => {
  test('renew it once, although its refresh token works once only', async () => {
    const sandbox = await startSandbox({ startTime: Date.now() - 2 * HOUR });
    onTestFinished(() => sandbox.close());
    const paths = temporaryPaths();
    const env = {
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CONFIG_DIR: paths.config,
      UCCTL_STORE: 'file',
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
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
    expect((await Promise.all(runs)).map(({ exit, stderr }) => [exit, stderr])).toEqual(
      runs.map(() => [0, '']),
    );
    expect(sandbox.requestLog().filter(({ path }) => path.endsWith('/token'))).toHaveLength(2);
  });

  test('are not held up by one that was killed while it renewed', async () => {
    const asked: ServerResponse[] = [];
    let onAsked: () => void = () => undefined;
    const server = createServer((request: IncomingMessage, response) => {
      if (request.url?.endsWith('/token')) {
        asked.push(response);
        onAsked();
        return;
      }
      response.setHeader('content-type', 'application/json');
      response.end('{"records":[]}');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const nextAsked = (): Promise<void> =>
      new Promise((resolve) => {
        onAsked = resolve;
      });
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { config } = temporaryPaths();
    const env = { UCCTL_BASE_URL: origin, UCCTL_CONFIG_DIR: config, UCCTL_STORE: 'file' };
    mkdirSync(join(config, 'sessions'), { recursive: true, mode: 0o700 });
    const session = {
      version: 1,
      origin,
      clientId: 'k',
      clientSecret: 's',
      flow: 'code',
      accessToken: 'old',
    };
    writeFileSync(
      join(config, 'sessions', 'default.json'),
      JSON.stringify({ ...session, expiresAt: 1, refreshToken: 'r', signedInAt: 0, generation: 1 }),
      { mode: 0o600 },
    );
    const first = nextAsked();
    const holder = ucctl(['queue', 'list'], env);
    await first;
    const second = nextAsked();
    const waiting = ucctl(['queue', 'list'], env);
    holder.child.kill('SIGKILL');
    await holder.ended;
    const killed = performance.now();
    await second;
    expect(performance.now() - killed).toBeLessThan(2000);
    asked[1]?.setHeader('content-type', 'application/json');
    asked[1]?.end('{"access_token":"new","token_type":"bearer","expires_in":3600,"refresh_token":"r2"}');
    expect((await waiting.ended).exit).toBe(0);
    expect(asked).toHaveLength(2);
  });
});
