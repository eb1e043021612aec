import { expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryPaths } from '../support/temporary.ts';

it.each([
  ['by -p', 'config list -p prdo', {}],
  ['by UCCTL_PROFILE', 'status', { UCCTL_PROFILE: 'prdo' }],
  ['to be changed', 'config set timeout 60 -p prdo', {}],
])('spec:CLIENT-34 one that is not there, named %s, is an error with the way out', async (_, line, env) => {
  const paths = temporaryPaths();
  await runUcctl('profile add prod --base-url https://service.example', { paths });
  const { exit, stderr } = await runUcctl(line, { paths, env });
  expect(exit).toBe(2);
  expect(stderr).toContain('there is no profile "prdo"');
  expect(stderr).toContain('there are: prod');
  expect(stderr).toContain('ucctl profile add prdo --base-url URL, or ucctl login -p prdo --base-url URL');
});

it('profile add makes one that -p can name; without a name all works as before', async () => {
  const paths = temporaryPaths();
  expect((await runUcctl('config list', { paths })).exit).toBe(0);
  expect((await runUcctl('profile list -p none', { paths })).exit).toBe(0);
  expect((await runUcctl('profile add prod --base-url https://service.example', { paths })).exit).toBe(0);
  expect((await runUcctl('config list -p prod', { paths })).exit).toBe(0);
});

it('doctor reports it', async () => {
  const { exit, stdout } = await runUcctl('doctor -p prdo -o json', { paths: temporaryPaths() });
  expect(exit).toBe(1);
  const [config] = JSON.parse(stdout) as readonly unknown[];
  expect(config).toMatchObject({
    check: 'config',
    result: 'fail',
    found: expect.stringContaining('no profile "prdo"') as string,
  });
});
