import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/index.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { sandboxHttp, userOf } from '../../support/sandbox.ts';
import { temporaryPaths } from '../../support/temporary.ts';

/** A profile whose base URL is set, and sign-ins to a sandbox with it. */
async function office(baseUrl: string) {
  const sandbox = await startSandbox({ listen: false });
  onTestFinished(() => sandbox.close());
  const paths = temporaryPaths();
  const { username, password } = userOf(sandbox, '102');
  const run = (line: string) =>
    runUcctl(line, {
      sandbox: { http: sandboxHttp(sandbox) },
      paths,
      env: {
        UCCTL_CLIENT_ID: sandbox.ready.clientId,
        UCCTL_CLIENT_SECRET: sandbox.ready.clientSecret,
        UCCTL_PASSWORD: password,
      },
    });
  expect(await run(`config set base-url ${baseUrl}`)).toMatchObject({ exit: 0 });
  const config = (): string => readFileSync(join(paths.config, 'config.json'), 'utf8');
  const login = (flags: string) =>
    run(`login --flow password --username ${username} --store file --base-url ${sandbox.url} ${flags}`);
  return { login, config };
}

test('a sign-in to another service replaces a profile only after a confirmation', async () => {
  const { login, config } = await office('https://platform.example.com');
  const before = config();
  const { exit, stderr } = await login('');
  expect([exit, stderr, config()]).toEqual([
    9,
    expect.stringMatching(
      /warning: profile "default" is set up for https:\/\/platform\.example\.com; to keep it, use another profile: ucctl login -p NAME\n.*not confirmed: Use profile "default" for http:\/\/127/s,
    ),
    before,
  ]);
  expect(await login('-p sandbox')).toMatchObject({ exit: 0 });
  expect(await login('--yes')).toMatchObject({ exit: 0 });
  expect(config()).not.toContain('platform.example.com');
});

test.each(['http://127.0.0.1:9', 'http://localhost:9'])(
  'a sign-in replaces a service of this machine (%s) without a question',
  async (baseUrl) => {
    const { login } = await office(baseUrl);
    expect(await login('')).toMatchObject({
      exit: 0,
      stderr: expect.not.stringContaining('warning') as string,
    });
  },
);
