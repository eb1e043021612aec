import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { runUcctl } from '../support/run-ucctl.ts';
import { pathsIn } from '../support/paths.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { openOffice } from './office.ts';
import { live, sendText } from './webhook/listening.ts';

describe('--dry-run of a command that changes only this machine', () => {
  it('config set shows the value and does not store it', async () => {
    const paths = pathsIn(temporaryFolder());
    const { exit, stdout, stderr } = await runUcctl('config set timeout 60 --dry-run -o json', { paths });
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ key: 'timeout', value: 60 });
    const file = join(paths.config, 'config.json');
    expect(stderr).toBe(`Dry run: timeout would change from (not set) to 60 in ${file}.\n`);
    expect(existsSync(file)).toBe(false);
  });

  it('config set shows the stored value', async () => {
    const paths = pathsIn(temporaryFolder());
    const file = join(paths.config, 'config.json');
    await runUcctl('config set timeout 60', { paths });
    const other = await runUcctl('config set timeout 90 -n', { paths });
    expect(other.stderr).toBe(`Dry run: timeout would change from 60 to 90 in ${file}.\n`);
    const same = await runUcctl('config set timeout 60 -n', { paths });
    expect(same.stderr).toBe(`Dry run: timeout is already 60 in ${file}.\n`);
  });

  it('config unset without it reports whether the setting was set', async () => {
    const paths = pathsIn(temporaryFolder());
    const unset = async (): Promise<unknown> => {
      const { exit, stdout } = await runUcctl('config unset timeout -o json', { paths });
      return { exit, ...(JSON.parse(stdout) as object) };
    };
    await runUcctl('config set timeout 60', { paths });
    expect(await unset()).toMatchObject({ exit: 0, removed: true });
    expect(await unset()).toMatchObject({ exit: 0, removed: false });
  });

  it('config unset names the profile and does not remove the setting', async () => {
    const paths = pathsIn(temporaryFolder());
    await runUcctl('config set timeout 60', { paths });
    const before = readFileSync(join(paths.config, 'config.json'), 'utf8');
    const { exit, stdout, stderr } = await runUcctl('config unset timeout -n -o json', { paths });
    expect([exit, JSON.parse(stdout)]).toEqual([0, { key: 'timeout', profile: 'default', removed: false }]);
    expect(stderr).toBe('Dry run: ucctl would remove timeout from profile "default".\n');
    expect(readFileSync(join(paths.config, 'config.json'), 'utf8')).toBe(before);
    const other = await runUcctl('config unset output --dry-run', { paths });
    expect(other.stderr).toBe('Dry run: output is not set in profile "default".\n');
  });

  it('profile remove checks the profile and does not remove it', async () => {
    const paths = pathsIn(temporaryFolder());
    await runUcctl('profile add old --base-url https://example.com --store file', { paths });
    const before = readFileSync(join(paths.config, 'config.json'), 'utf8');
    const { exit, stdout, stderr } = await runUcctl('profile remove old -n -o json', { paths });
    expect([exit, JSON.parse(stdout)]).toEqual([0, { name: 'old', removed: false }]);
    expect(stderr).toBe('Dry run: ucctl would remove profile "old".\n');
    expect(readFileSync(join(paths.config, 'config.json'), 'utf8')).toBe(before);
    expect((await runUcctl('profile remove new -n', { paths })).exit).toBe(3);
  });

  it('completion install names the files and does not write them', async () => {
    const folder = temporaryFolder();
    const options = { paths: pathsIn(folder), env: { HOME: folder } };
    const startFile = join(folder, '.bashrc');
    const { exit, stdout, stderr } = await runUcctl('completion install bash --dry-run -o json', options);
    expect(exit).toBe(0);
    const script = join(folder, 'data', 'completion', 'ucctl.bash');
    expect(JSON.parse(stdout)).toMatchObject({ action: 'not installed', script, startFile });
    expect(stderr).toBe('Dry run: ucctl would write the script and the startup file.\n');
    expect(existsSync(startFile)).toBe(false);
    expect(existsSync(join(folder, 'data'))).toBe(false);
    await runUcctl('completion install bash', options);
    const again = await runUcctl('completion install bash --dry-run', options);
    expect(again.stderr).toBe('Dry run: completion is already installed.\n');
  });

  it('completion uninstall names the files and does not change them', async () => {
    const folder = temporaryFolder();
    const options = { paths: pathsIn(folder), env: { HOME: folder } };
    const uninstall = 'completion uninstall bash --dry-run -o json';
    const nothing = await runUcctl(uninstall, options);
    expect([nothing.exit, JSON.parse(nothing.stdout), nothing.stderr]).toMatchObject([
      0,
      { action: 'nothing to remove' },
      'Dry run: completion is not installed.\n',
    ]);
    await runUcctl('completion install bash', options);
    const before = readFileSync(join(folder, '.bashrc'), 'utf8');
    const { exit, stdout, stderr } = await runUcctl(uninstall, options);
    const script = join(folder, 'data', 'completion', 'ucctl.bash');
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { action: 'not removed', script }]);
    expect(stderr).toBe('Dry run: ucctl would remove the script and the lines in the startup file.\n');
    expect([existsSync(script), readFileSync(join(folder, '.bashrc'), 'utf8')]).toEqual([true, before]);
  });

  it('sync lists the mailboxes and creates no copy', async () => {
    const office = await openOffice();
    const paths = pathsIn(temporaryFolder());
    const command = 'sync --type SMS,Fax --extension 102 -n';
    const { exit, stdout, stderr } = await office.run(`${command} -o json`, { paths });
    const [first, second, ...others] = JSON.parse(stdout) as readonly object[];
    expect([exit, others]).toEqual([0, []]);
    expect(first).toMatchObject({ mailbox: '102', type: 'SMS' });
    expect(second).toMatchObject({ mailbox: '102', type: 'Fax' });
    expect(stderr).toBe(
      'Dry run: ucctl copied no messages. Only the sync itself shows how many messages are new.\n',
    );
    expect(existsSync(paths.data)).toBe(false);
  });

  it('sync shows no counts, because they are not known', async () => {
    const office = await openOffice();
    const paths = pathsIn(temporaryFolder());
    const json = await office.run('sync --extension 102 -n -o json', { paths });
    expect(JSON.parse(json.stdout)).toEqual([
      { mailbox: '102', extensionId: expect.any(String) as string, type: null },
    ]);
    const { stdout } = await office.run('sync --extension 102 -n', { paths, terminal: 80 });
    expect(stripVTControlCharacters(stdout).split('\n')).toEqual(['MAILBOX  TYPE', '102      all', '']);
  });

  it('download lists the items and writes no file', async () => {
    const office = await openOffice();
    const cwd = temporaryFolder();
    const { exit, stdout, stderr } = await office.run(
      'download --uri https://media.example.com/1 --dir new -n -o json',
      { cwd },
    );
    expect([exit, stderr]).toEqual([
      0,
      `Dry run: ucctl would download these files to ${join(cwd, 'new')}.\n`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject([{ status: 'planned' }]);
    expect(readdirSync(cwd)).toEqual([]);
  });
});

describe('a missing parent folder', () => {
  it.each([
    ['above the working folder', '../missing', 2],
    ['below the working folder', 'missing', 0],
  ])('%s', async (_name, parent, expected) => {
    const office = await openOffice();
    const cwd = join(temporaryFolder(), 'work');
    mkdirSync(cwd);
    const folder = `${parent}/x`;
    const commands = [`calllog stats --report ${folder}.html`, `download --voicemail --dir ${folder}`];
    for (const command of commands) {
      const { exit, stderr } = await office.run(command, { cwd });
      const namesFlag = stderr.includes('use --parents to create the folder');
      expect([command, exit, namesFlag]).toEqual([command, expected, expected === 2]);
    }
    expect(existsSync(join(cwd, parent))).toBe(expected === 0);
    for (const command of commands) {
      expect((await office.run(`${command} --parents`, { cwd })).exit).toBe(0);
    }
  });
});

it('--all-extensions watches the users of the account', async () => {
  const office = await openOffice();
  const { ready, result } = await live(office, 'subscribe tail --all-extensions --events messages --count 1');
  expect(ready.eventFilters.length).toBeGreaterThan(3);
  await office.run(sendText);
  expect((await result).exit).toBe(0);
});
