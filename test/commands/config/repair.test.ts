import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runUcctl, type RunResult } from '../../support/run-ucctl.ts';
import { temporaryPaths } from '../../support/temporary.ts';

type Profiles = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A config file with these profiles, and the profiles after the commands of a test. */
function openConfig(profiles: Profiles) {
  const paths = temporaryPaths();
  const file = join(paths.config, 'config.json');
  mkdirSync(paths.config, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify({ version: 1, current: 'default', profiles }), { mode: 0o600 });
  return {
    file,
    run: (argv: string | readonly string[]): Promise<RunResult> => runUcctl(argv, { paths }),
    profiles: () => (JSON.parse(readFileSync(file, 'utf8')) as { profiles: Profiles }).profiles,
  };
}

it('config unset removes an invalid setting of the file, as the error suggests', async () => {
  const { run, profiles, file } = openConfig({ default: { quietHours: '22:00-07:00 BST', retry: 2 } });
  const { exit, stderr } = await run('status');
  expect(exit).toBe(12);
  expect(stderr).toContain(`the config file is not valid: ${file}: "quietHours" of profile "default": `);
  expect(stderr).toContain(
    'try:     remove the setting: ucctl config unset quiet-hours; or correct it: ucctl config set quiet-hours VALUE\n',
  );
  expect(await run('config unset quiet-hours --dry-run')).toMatchObject({ exit: 0 });
  expect(await run('config unset quiet-hours')).toMatchObject({ exit: 0 });
  expect(profiles()).toEqual({ default: { retry: 2 } });
});

it.each([
  [
    'quietHours',
    '22:00-07:00 BST',
    ['quiet-hours', '22:00-07:00 Europe/London'],
    '22:00-07:00 Europe/London',
  ],
  ['timeoutSeconds', null, ['timeout', '60'], 60],
  ['protect', { who: 'Ada' }, ['protect', 'Ada'], ['Ada']],
  ['store', 'postgres://ada:Geheim-7f3a@host.example/db', ['store', 'file'], 'file'],
  ['output', 'xml', ['output', 'json'], 'json'],
])('config set replaces an invalid %s', async (member, invalid, words, valid) => {
  const { run, profiles } = openConfig({ default: { [member]: invalid } });
  const preview = await run(['config', 'set', ...words, '--dry-run']);
  expect(preview).toMatchObject({ exit: 0 });
  expect(preview.stderr).toContain(`Dry run: ${words[0]} would change from `);
  expect(preview.stderr).not.toContain('Geheim');
  expect(preview.stderr).not.toContain('[object');
  expect(await run(['config', 'set', ...words])).toMatchObject({ exit: 0 });
  expect(profiles()).toEqual({ default: { [member]: valid } });
});

it('the error about another profile suggests a command for that profile', async () => {
  const { run, profiles } = openConfig({ default: {}, lab: { retry: -1 } });
  const { exit, stderr } = await run('status -p lab');
  expect(exit).toBe(12);
  expect(stderr).toContain('ucctl -p lab config unset retry');
  expect(await run('-p lab config unset retry')).toMatchObject({ exit: 0 });
  expect(profiles()).toEqual({ default: {}, lab: {} });
});

it('config path names the file that has an invalid setting', async () => {
  const { run, file } = openConfig({ default: { retry: -1 } });
  expect(await run('config path')).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining(file) as string,
  });
});

it('other commands do not ignore an invalid setting', async () => {
  const { run, profiles } = openConfig({ default: { quietHours: '22:00-07:00 BST' } });
  for (const argv of ['config list', 'config get retry', 'login', 'sms send --to +16505550112 hi --yes'])
    expect(await run(argv)).toMatchObject({ exit: 12 });
  expect(profiles()).toEqual({ default: { quietHours: '22:00-07:00 BST' } });
});
