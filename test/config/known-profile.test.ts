import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryPaths } from '../support/temporary.ts';

it.each([
  ['by -p', 'config list -p prdo', {}],
  ['by UCCTL_PROFILE', 'status', { UCCTL_PROFILE: 'prdo' }],
  ['to be changed', 'config set timeout 60 -p prdo', {}],
])('spec:CLIENT-34 an unknown profile, named %s, is an error with a hint', async (_, line, env) => {
  const paths = temporaryPaths();
  await runUcctl('profile add prod --base-url https://service.example', { paths });
  const { exit, stderr } = await runUcctl(line, { paths, env });
  expect(exit).toBe(2);
  expect(stderr).toContain('profile "prdo" (from ');
  expect(stderr).toContain('existing profiles: prod');
  expect(stderr).toContain('ucctl profile add prdo --base-url URL, or ucctl login -p prdo --base-url URL');
});

it('profile add creates a profile that -p can name; without -p no profile is needed', async () => {
  const paths = temporaryPaths();
  expect((await runUcctl('config list', { paths })).exit).toBe(0);
  expect((await runUcctl('profile list -p none', { paths })).exit).toBe(0);
  expect((await runUcctl('profile add prod --base-url https://service.example', { paths })).exit).toBe(0);
  expect((await runUcctl('config list -p prod', { paths })).exit).toBe(0);
});

it('doctor reports an unknown profile', async () => {
  const { exit, stdout } = await runUcctl('doctor -p prdo -o json', { paths: temporaryPaths() });
  expect(exit).toBe(1);
  const [config] = JSON.parse(stdout) as readonly unknown[];
  expect(config).toMatchObject({
    check: 'config',
    result: 'fail',
    found: expect.stringContaining('profile "prdo" (from --profile) not found') as string,
  });
});
