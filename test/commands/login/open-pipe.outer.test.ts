import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { open, startUcctl } from '../../support/process.ts';

test('a secret is one line of standard input, so the pipe may stay open', async () => {
  await using sandbox = await startSandbox();
  const home = mkdtempSync(join(tmpdir(), 'ucctl-pipe-'));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const [user] = sandbox.ready.users;
  const { username = '', password = '' } = user ?? {};
  const argv = ['login', '--flow', 'password', '--username', username, '--password-stdin'];
  const { child, ended } = startUcctl([...argv, '--store', 'file', '-o', 'json'], {
    env: {
      HOME: home,
      UCCTL_BASE_URL: sandbox.url,
      UCCTL_CLIENT_ID: sandbox.ready.clientId,
      UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
    },
    input: open,
    secrets: { password },
  });
  child.stdin.write(`${password}\r\n`);
  const { exit, stdout } = await ended;
  expect(exit).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ username });
});
