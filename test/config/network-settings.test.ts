import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultMaxWaitMilliseconds } from '../../src/client/rate-wait.ts';
import { updateConfigFile } from '../../src/config/index.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

async function shown(line: string, options: Parameters<typeof runUcctl>[1]) {
  const { stdout } = await runUcctl(`config list --show-origin -o json ${line}`, options);
  const rows = JSON.parse(stdout) as { key: string; value?: unknown; origin: string; source: string }[];
  return (key: string) => {
    const row = rows.find((one) => one.key === key);
    return [row?.value, row?.origin, row?.source];
  };
}

it('a duration has the same notation in the flag, the environment and the profile', async () => {
  const paths = temporaryPaths();
  expect((await runUcctl('config set timeout 2m', { paths })).exit).toBe(0);
  expect((await shown('', { paths }))('timeout').slice(0, 2)).toEqual([120, 'profile']);
  const env = { UCCTL_TIMEOUT: '1.5m', UCCTL_MAX_WAIT: '1h' };
  expect((await shown('', { paths, env }))('timeout')).toEqual([90, 'environment', 'UCCTL_TIMEOUT']);
  expect((await shown('', { paths, env }))('max-wait')).toEqual([3600, 'environment', 'UCCTL_MAX_WAIT']);
  for (const wrong of ['soon', '0', '2h', '0.5', '-1']) {
    const { exit, stderr } = await runUcctl(['config', 'set', 'timeout', wrong], { paths });
    expect([wrong, exit, stderr]).toEqual([
      wrong,
      2,
      expect.stringMatching(/a duration from 1 to 3600 seconds, such as 30 or 2m|unknown flag/),
    ]);
  }
});

it('spec:CLIENT-36 proxy, CA file, tries and longest wait come from flag, environment, profile', async () => {
  const paths = temporaryPaths();
  for (const words of ['proxy http://profile.example:1', 'ca-file /p.pem', 'retry 7', 'max-wait 60']) {
    expect((await runUcctl(`config set ${words}`, { paths })).exit).toBe(0);
  }
  const stored = await shown('', { paths });
  expect(stored('proxy').slice(0, 2)).toEqual(['http://profile.example:1', 'profile']);
  expect(stored('ca-file').slice(0, 2)).toEqual(['/p.pem', 'profile']);
  expect(stored('retry').slice(0, 2)).toEqual([7, 'profile']);
  expect(stored('max-wait').slice(0, 2)).toEqual([60, 'profile']);
  const env = {
    HTTPS_PROXY: 'http://user:canary@env.example:2',
    UCCTL_CA_FILE: '/e.pem',
    UCCTL_RETRY: '0',
    UCCTL_MAX_WAIT: '5',
  };
  const inEnvironment = await shown('', { paths, env });
  expect(inEnvironment('proxy')).toEqual(['http://***@env.example:2', 'environment', 'HTTPS_PROXY']);
  expect(inEnvironment('ca-file')).toEqual(['/e.pem', 'environment', 'UCCTL_CA_FILE']);
  expect(inEnvironment('retry')).toEqual([0, 'environment', 'UCCTL_RETRY']);
  expect(inEnvironment('max-wait')).toEqual([5, 'environment', 'UCCTL_MAX_WAIT']);
  const flags = await shown('--proxy http://flag.example:3 --retry 2 --max-wait 1m --ca-file f', {
    paths,
    env,
  });
  expect(flags('proxy')).toEqual(['http://flag.example:3', 'flag', '--proxy']);
  expect(flags('retry')).toEqual([2, 'flag', '--retry']);
  expect(flags('max-wait')).toEqual([60, 'flag', '--max-wait']);
  expect(flags('ca-file')).toEqual(['f', 'flag', '--ca-file']);
});

it('the time zone comes from flag, environment, profile, and applies to dates and displayed times', async () => {
  const paths = temporaryPaths();
  expect((await runUcctl('config set tz Europe/Paris', { paths })).exit).toBe(0);
  expect((await shown('', { paths }))('tz').slice(0, 2)).toEqual(['Europe/Paris', 'profile']);
  const env = { UCCTL_TZ: 'Asia/Tokyo' };
  expect((await shown('', { paths, env }))('tz')).toEqual(['Asia/Tokyo', 'environment', 'UCCTL_TZ']);
  expect((await shown('--tz America/New_York', { paths, env }))('tz')).toEqual([
    'America/New_York',
    'flag',
    '--tz',
  ]);
  for (const wrong of ['CET', 'Europe/Pari', '']) {
    const { exit } = await runUcctl(['config', 'set', 'tz', wrong], { paths });
    expect([wrong, exit]).toEqual([wrong, 2]);
  }
  const invalid = await runUcctl('config list', { paths, env: { UCCTL_TZ: 'CET' } });
  expect([invalid.exit, invalid.stderr]).toEqual([2, expect.stringContaining('UCCTL_TZ: "CET"')]);
});

it('an ALL_PROXY that ucctl cannot use is an error, except for a service on this machine', async () => {
  const run = (baseUrl: string) =>
    runUcctl('presence show --retry 0', {
      env: { ALL_PROXY: 'socks5://u:canary@proxy.example:1', UCCTL_BASE_URL: baseUrl, UCCTL_TOKEN: 'x' },
    });
  const remote = await run('https://api.example.test');
  expect([remote.exit, remote.stderr]).toEqual([
    2,
    expect.stringContaining('fix the setting (from ALL_PROXY)'),
  ]);
  expect(remote.stderr).not.toContain('canary');
  const local = await run('http://127.0.0.1:1');
  expect(local.stderr).not.toContain('ALL_PROXY');
  expect(local.exit).not.toBe(2);
});

it('a default is shown as it is used, as text if it differs by command', async () => {
  const paths = temporaryPaths();
  const usual = await shown('', { paths });
  expect(usual('retry')).toEqual([4, 'default', 'default']);
  expect(usual('max-wait')).toEqual([defaultMaxWaitMilliseconds / 1000, 'default', 'default']);
  expect(usual('output')).toEqual([undefined, 'default', 'default']);
  const { stdout } = await runUcctl('config list', { paths });
  expect(stdout).toMatch(/^output\ttable on a terminal, otherwise tsv; /m);
  expect((await runUcctl('config get retry -o json', { paths })).stdout).toContain('"value": 4');
  const { exit, stderr } = await runUcctl('config get output', { paths });
  expect([exit, stderr]).toEqual([
    3,
    expect.stringContaining('output is not set; default: table on a terminal'),
  ]);
});

it('a password of a proxy is never written to a config file', async () => {
  const paths = temporaryPaths();
  const result = await runUcctl('config set proxy http://u:canary@proxy.example:1', { paths });
  expect([result.exit, result.stderr]).toEqual([2, expect.stringContaining('HTTPS_PROXY')]);
  expect(result.stderr + result.stdout).not.toContain('canary');
  expect((await runUcctl('config set retry 99', { paths })).exit).toBe(2);
});

it('a CA file of the profile does not depend on the current folder, and relative paths are not trusted', async () => {
  const paths = temporaryPaths();
  const at = temporaryFolder();
  const { stdout } = await runUcctl('config set ca-file ca.pem -o json', { paths, cwd: at });
  expect(JSON.parse(stdout)).toMatchObject({ value: join(at, 'ca.pem') });
  await updateConfigFile(paths, () => ({ profiles: { default: { caFile: 'ca.pem' } } }));
  const { stderr } = await runUcctl('presence show', {
    paths,
    cwd: at,
    env: { UCCTL_BASE_URL: 'https://127.0.0.1:1', UCCTL_TOKEN: 'x' },
  });
  expect(stderr).toContain(`cannot read the certificate authorities in ${join(paths.config, 'ca.pem')}`);
});
