import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { settingKeys } from '../../../src/config/setting-keys.ts';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';

type Run = (line: string, env?: Readonly<Record<string, string>>) => Promise<RunResult>;

function user(): { run: Run; file: string } {
  const paths = temporaryPaths();
  return {
    file: join(paths.config, 'config.json'),
    run: (line, env = {}) => runUcctl(line, { paths, env }),
  };
}

describe('profile', () => {
  test('add, list, use, show and rm', async () => {
    const { run } = user();
    await run('profile add lab --base-url http://127.0.0.1:8080 --store file');
    await run('profile add prod --base-url https://prod.example.test --client-id key');
    const list = JSON.parse((await run('profile list -o json')).stdout) as readonly object[];
    expect(list).toMatchObject([
      { name: 'lab', current: true, baseUrl: 'http://127.0.0.1:8080', store: 'file' },
      { name: 'prod', current: false, baseUrl: 'https://prod.example.test', clientId: 'key' },
    ]);
    expect((await run('profile use prod')).exit).toBe(0);
    expect(JSON.parse((await run('profile show -o json')).stdout)).toMatchObject({
      name: 'prod',
      current: true,
    });
    expect((await run('profile add prod')).exit).toBe(11);
    expect((await run('profile use prodd')).stderr).toContain('existing profiles: lab, prod');
    const next = 'Profile "lab" is the default profile now.\n';
    expect((await run('profile remove prod -n')).stderr).toBe(
      'Dry run: ucctl would remove profile "prod".\nDry run: profile "lab" would be the default profile.\n',
    );
    // Nobody signed in with it, and this machine has no keychain that would know.
    expect(await run('profile remove prod')).toMatchObject({
      exit: 0,
      stderr: `Removed profile "prod".\n${next}`,
    });
    expect(JSON.parse((await run('profile list -o json')).stdout)).toMatchObject([
      { name: 'lab', current: true },
    ]);
  });

  test('show names every setting in its JSON fields', async () => {
    const { run } = user();
    const { stdout } = await run('profile show --json=help');
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(Object.keys(settingKeys)));
  });

  test('after the removal of the only profile, the profile is default again', async () => {
    const { run, file } = user();
    await run('profile add lab');
    expect(await run('profile remove lab')).toMatchObject({ exit: 0, stderr: 'Removed profile "lab".\n' });
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ version: 1, profiles: {} });
    expect(JSON.parse((await run('config get profile -o json')).stdout)).toMatchObject({ value: 'default' });
  });

  test('an invalid name is rejected with exit 2', async () => {
    const { run } = user();
    expect((await run(['profile', 'add', '../x'].join(' '))).exit).toBe(2);
    expect((await run('status -p a/b')).exit).toBe(2);
  });
});

describe('config', () => {
  test('set, get, unset, and the origin of each value', async () => {
    const { run, file } = user();
    await run('config set timeout 60s');
    await run('config set base-url https://one.example.test/');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
      version: 1,
      current: 'default',
      profiles: { default: { timeoutSeconds: 60, baseUrl: 'https://one.example.test' } },
    });
    const env = { UCCTL_BASE_URL: 'https://two.example.test', UCCTL_CLIENT_SECRET: 'canary-secret' };
    const list = await run('config list --show-origin -o json', env);
    expect(list.stdout).not.toContain('canary');
    const settings = JSON.parse(list.stdout) as readonly Record<string, unknown>[];
    expect(settings.filter(({ description }) => !description)).toEqual([]);
    expect(settings.map(({ key, value, origin, source }) => ({ key, value, origin, source }))).toEqual(
      expect.arrayContaining([
        {
          key: 'base-url',
          value: 'https://two.example.test',
          origin: 'environment',
          source: 'UCCTL_BASE_URL',
        },
        { key: 'timeout', value: 60, origin: 'profile', source: file },
        { key: 'store', value: 'keychain', origin: 'default', source: 'default' },
        { key: 'client-secret', value: '********', origin: 'environment', source: 'UCCTL_CLIENT_SECRET' },
      ]),
    );
    await run('config unset timeout');
    expect(JSON.parse((await run('config get timeout -o json')).stdout)).toMatchObject({
      value: 30,
      origin: 'default',
    });
    expect((await run('config get language')).exit).toBe(3);
  });

  test.each([80, 120])('explains each setting in full at %i columns', async (terminal) => {
    const { stdout } = await runUcctl('config list --describe', { paths: temporaryPaths(), terminal });
    const shown = stdout.replaceAll(/\s+/g, ' ');
    for (const { key, summary } of Object.values(settingKeys)) expect(shown).toContain(`${key} ${summary}`);
  });

  test('prints the path of its file for use in a shell', async () => {
    const { run, file } = user();
    expect((await run('config path -o json')).stdout).toContain(JSON.stringify(file));
    expect((await run('config path')).stdout.trim()).toBe(file);
  });

  test.each([
    ['config set client-secret x', 'the config file never contains secrets'],
    ['config set nonsense x', 'to list all settings: ucctl config list'],
    ['config set base-url http://example.test', 'which ucctl allows only for this machine'],
    ['config set timeout soon', 'a duration from'],
  ])('%s is rejected with exit 2', async (line, message) => {
    const { exit, stderr } = await user().run(line);
    expect(exit).toBe(2);
    expect(stderr).toContain(message);
  });
});
