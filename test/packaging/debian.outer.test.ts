import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeDebianPackage } from '../../scripts/release/debian.ts';
import { temporaryFolder } from '../support/temporary.ts';

const missing = spawnSync('dpkg-deb', ['--version']).status === 0 ? undefined : 'dpkg-deb is not installed';

/** Makes a package of a small file instead of the executable, and returns the paths of its files without folders. */
function packageWith(units: string): { readonly paths: readonly string[]; readonly unpacked: string } {
  const folder = temporaryFolder();
  const executable = join(folder, 'program');
  writeFileSync(executable, 'program');
  const file = join(folder, 'ucctl.deb');
  makeDebianPackage({
    executable,
    licenses: 'the licenses',
    version: '1.2.3',
    maintainer: 'A <a@example.invalid>',
    time: 0,
    file,
    units,
  });
  const unpacked = join(folder, 'unpacked');
  execFileSync('dpkg-deb', ['--raw-extract', file, unpacked]);
  const listed = execFileSync('find', ['.', '-type', 'f'], { cwd: unpacked, encoding: 'utf8' });
  return { paths: listed.trim().split('\n').toSorted(), unpacked };
}

describe.skipIf(missing)(`the Debian package${missing === undefined ? '' : ` (${missing})`}`, () => {
  it('installs the units, the user and the example of the variables where systemd and people look for them', () => {
    const units = temporaryFolder();
    for (const name of [
      'ucctl-worker@.service',
      'daily.timer',
      'ucctl.sysusers',
      'ucctl.env.example',
      'notes.md',
    ])
      writeFileSync(join(units, name), name);
    const { paths, unpacked } = packageWith(units);
    expect(paths.filter((path) => /systemd|sysusers|examples|notes/.test(path))).toEqual([
      './usr/lib/systemd/system/daily.timer',
      './usr/lib/systemd/system/ucctl-worker@.service',
      './usr/lib/sysusers.d/ucctl.conf',
      './usr/share/doc/ucctl/examples/ucctl.env',
    ]);
    const unit = join(unpacked, 'usr/lib/systemd/system/ucctl-worker@.service');
    expect(readFileSync(unit, 'utf8')).toBe('ucctl-worker@.service');
  });

  it('names a size that does not depend on the disk of the build', () => {
    const { unpacked } = packageWith('deploy/systemd');
    const [, size] =
      /^Installed-Size: (\d+)$/m.exec(readFileSync(join(unpacked, 'DEBIAN/control'), 'utf8')) ?? [];
    const installed = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter(
      ({ name, parentPath }) => name !== 'DEBIAN' && !parentPath.endsWith('DEBIAN'),
    );
    // One for the root folder.
    const expected = installed.reduce(
      (sum, entry) =>
        sum + (entry.isFile() ? Math.ceil(statSync(join(entry.parentPath, entry.name)).size / 1024) : 1),
      1,
    );
    expect(Number(size)).toBe(expected);
  });

  it.each([
    ['prerm', 'remove', 'stop ucctl-worker@*.service ucctl-receiver@*.service ucctl-consumer@*.service\n'],
    ['prerm', 'upgrade', ''],
    ['postinst', 'configure', 'daemon-reload\n'],
    ['postrm', 'remove', 'daemon-reload\n'],
  ])('%s %s calls systemctl as expected', (script, action, called) => {
    const { unpacked } = packageWith('deploy/systemd');
    const file = join(unpacked, 'DEBIAN', script);
    expect(statSync(file).mode & 0o777).toBe(0o755);
    const folder = temporaryFolder();
    // A machine that systemd has started has this folder.
    const text = readFileSync(file, 'utf8').replace('/run/systemd/system', folder);
    const systemctl = join(folder, 'systemctl');
    writeFileSync(systemctl, '#!/bin/sh\nprintf "%s\\n" "$*"\nexit 1\n', { mode: 0o755 });
    const { status, stdout } = spawnSync('/bin/sh', ['-c', text, script, action], {
      env: { PATH: folder },
      encoding: 'utf8',
    });
    // A failure of systemctl must not prevent an installation or removal.
    expect([status, stdout]).toEqual([0, called]);
  });

  it('stops the processes of every unit when it is removed', () => {
    const script = readFileSync('scripts/release/debian/prerm', 'utf8');
    const units = readdirSync('deploy/systemd').filter((name) => name.endsWith('.service'));
    expect(units.filter((name) => !script.includes(`'${name.replace('@', '@*')}'`))).toEqual([]);
  });

  it('has no units if there is no folder of units', () => {
    const { paths } = packageWith(join(temporaryFolder(), 'missing'));
    expect(paths).toContain('./usr/bin/ucctl');
    expect(paths.filter((path) => path.includes('systemd'))).toEqual([]);
  });
});
