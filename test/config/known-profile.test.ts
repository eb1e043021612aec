import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
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

it.each([
  ['profile add', 'profile add PROD --base-url https://service.example'],
  ['login', 'login -p PROD --base-url https://service.example --flow password --username a --no-input'],
  ['init', 'init -p PROD --base-url https://service.example --no-input'],
])('%s creates no profile that would share files with another one on macOS or Windows', async (_, line) => {
  const paths = temporaryPaths();
  await runUcctl('profile add prod --base-url https://service.example', { paths });
  const { exit, stderr } = await runUcctl(line, { paths });
  expect([exit, stderr]).toEqual([
    11,
    expect.stringContaining('profile "prod" already exists, and "PROD" differs from it only in case'),
  ]);
  expect((await runUcctl('profile list -o json --fields name', { paths })).stdout).not.toContain('PROD');
});

it('a setting creates no profile with the name of another one in another case', async () => {
  const paths = temporaryPaths();
  await runUcctl('profile add Default --base-url https://service.example', { paths });
  const file = join(paths.config, 'config.json');
  const { current: _, ...config } = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify(config));
  // Without a selection, the profile of the run is `default`.
  const { exit, stderr } = await runUcctl('config set timeout 60', { paths });
  expect([exit, stderr]).toEqual([11, expect.stringContaining('profile "Default" already exists')]);
});

it('profiles that differ in case already can still be changed', async () => {
  const paths = temporaryPaths();
  const profile = { baseUrl: 'https://service.example' };
  await mkdir(paths.config, { recursive: true });
  const config = { version: 1, profiles: { prod: profile, Prod: profile } };
  await writeFile(join(paths.config, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  expect((await runUcctl('config set timeout 60 -p Prod', { paths })).exit).toBe(0);
});
