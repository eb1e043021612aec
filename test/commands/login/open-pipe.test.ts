import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';

test('what is read from standard input is a line: the pipe may stay open', async () => {
  await using sandbox = await startSandbox();
  const home = mkdtempSync(join(tmpdir(), 'ucctl-pipe-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [user] = sandbox.ready.users;
  const argv = ['login', '--flow', 'password', '--username', user?.username ?? '', '--password-stdin'];
  const child = spawn(process.execPath, ['bin/ucctl.cjs', ...argv, '--store', 'file', '-o', 'json'], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.write(`${user?.password ?? ''}\r\n`);
  const [stdout] = await Promise.all([child.stdout.toArray(), once(child, 'exit')]);
  expect(child.exitCode).toBe(0);
  expect(JSON.parse(Buffer.concat(stdout as Buffer[]).toString())).toMatchObject({
    username: user?.username,
  });
});
