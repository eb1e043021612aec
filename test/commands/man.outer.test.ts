import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { canSetImmutable, setImmutable } from '../support/immutable.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';
import { unlessRequired } from '../support/required.ts';

const missing = unlessRequired('man', spawnSync('man', ['--version']).status === 0 ? undefined : 'no man');

describe('man install', () => {
  it('copies every page of the package, reports when nothing changed, and uninstall keeps other pages', async () => {
    const root = join(temporaryFolder(), 'man');
    const install = async (verb: string) =>
      JSON.parse((await runUcctl(`man ${verb} --dir ${root} -o json`)).stdout) as Record<string, unknown>;
    const { man } = JSON.parse(readFileSync('package.json', 'utf8')) as { man: readonly string[] };
    const folder = join(root, 'man1');
    const planned = { folder, pages: man.length, action: 'not installed' };
    expect([await install('install -n'), existsSync(root)]).toEqual([planned, false]);
    expect(await install('install')).toEqual({ folder, pages: man.length, action: 'installed' });
    expect(
      readdirSync(folder)
        .map((name) => `dist/man/${name}`)
        .sort(),
    ).toEqual([...man].sort());
    expect(await install('install')).toMatchObject({ action: 'unchanged' });
    expect(await install('install --dry-run')).toMatchObject({ action: 'unchanged' });
    expect(await install('uninstall -n')).toEqual({ folder, pages: man.length, action: 'not removed' });
    expect(readdirSync(folder)).toHaveLength(man.length);
    writeFileSync(join(folder, 'other.1'), '');
    expect(await install('uninstall')).toEqual({ folder, pages: man.length, action: 'removed' });
    expect(readdirSync(folder)).toEqual(['other.1']);
    expect(await install('uninstall')).toMatchObject({ pages: 0, action: 'nothing to remove' });
  });

  it('leaves the links of npm unchanged, because npm replaces and removes only links', async () => {
    const root = join(temporaryFolder(), 'man');
    const folder = join(root, 'man1');
    const packed = join(temporaryFolder(), 'ucctl-queue.1');
    writeFileSync(packed, 'the page of another version');
    mkdirSync(folder, { recursive: true });
    symlinkSync(packed, join(folder, 'ucctl-queue.1'));
    symlinkSync(join(root, 'moved'), join(folder, 'ucctl.1'));
    expect((await runUcctl(`man install --dir ${root}`)).exit).toBe(0);
    expect(readFileSync(packed, 'utf8')).toBe('the page of another version');
    expect(lstatSync(join(folder, 'ucctl.1')).isFile()).toBe(true);
    expect(existsSync(join(root, 'moved'))).toBe(false);
    expect((await runUcctl(`man uninstall --dir ${root}`)).exit).toBe(0);
    expect(readdirSync(folder)).toEqual(['ucctl-queue.1']);
  });

  it.skipIf(!canSetImmutable())('reports why the system does not permit it to delete a page', async () => {
    const root = join(temporaryFolder(), 'man');
    await runUcctl(`man install --dir ${root}`);
    const page = join(root, 'man1', 'ucctl.1');
    writeFileSync(page, 'the page of another version');
    setImmutable(page, true);
    onTestFinished(() => setImmutable(page, false));
    for (const verb of ['install', 'uninstall']) {
      const { exit, stderr } = await runUcctl(`man ${verb} --dir ${root}`);
      expect([exit, stderr]).toEqual([
        12,
        expect.stringContaining(`cannot write the manual pages in ${join(root, 'man1')}: permission denied`),
      ]);
    }
  });

  it('copies them next to the data folder and explains how man finds them', async () => {
    const paths = temporaryPaths();
    const hidden = await runUcctl('man install', { paths, env: { PATH: '/usr/bin', HOME: paths.data } });
    const root = join(paths.data, '..', 'man');
    expect([hidden.exit, hidden.stderr]).toEqual([
      0,
      expect.stringContaining(`export MANPATH=${root}:"$MANPATH"`),
    ]);
    expect(existsSync(join(root, 'man1', 'ucctl.1'))).toBe(true);
    const listed = await runUcctl('man install', { paths, env: { MANPATH: root } });
    expect(listed.stderr).toBe('');
  });

  it('a folder that cannot be written is an error with a next step', async () => {
    const { exit, stderr } = await runUcctl('man install --dir /proc/nothing');
    expect([exit, stderr]).toEqual([12, expect.stringContaining('choose another folder with --dir')]);
  });

  it.skipIf(missing)('is found by the real man', async () => {
    const root = join(temporaryFolder(), 'man');
    await runUcctl(`man install --dir ${root}`);
    const env = { PATH: process.env['PATH'] ?? '', MANPATH: root, MANPAGER: 'cat', MANWIDTH: '80' };
    expect(execFileSync('man', ['-w', 'ucctl-queue'], { env, encoding: 'utf8' })).toContain(
      join(root, 'man1'),
    );
    expect(execFileSync('man', ['ucctl'], { env, encoding: 'utf8' })).toContain('EXIT STATUS');
  });
});
