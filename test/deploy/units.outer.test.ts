import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runUcctl, splitWords } from '../support/run-ucctl.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { unlessRequired } from '../support/required.ts';

const folder = 'deploy/systemd';
const units = readdirSync(folder).filter((name) => name.endsWith('.service'));
const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
const missing = unlessRequired('systemd', hasAnalyze ? undefined : 'not installed: package systemd');

/** Copies a unit, with a program that exists on this machine. */
function unitWithProgram(name: string): string {
  const file = join(temporaryFolder(), name);
  writeFileSync(file, readFileSync(join(folder, name), 'utf8').replace('/usr/bin/ucctl', '/bin/true'));
  return file;
}

describe('the units of deploy/systemd', () => {
  it.each(units)('%s starts a command with options that exist', async (name) => {
    const line =
      /^ExecStart=\/usr\/bin\/ucctl (.*)$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '';
    const words = splitWords(line.replaceAll('%i', 'one').replace(' $OPTIONS', ''));
    // The help of a command needs no service, and rejects unknown options.
    const { exit, stderr } = await runUcctl([...words, '--help']);
    expect([exit, stderr]).toEqual([0, '']);
    const unknown = await runUcctl([...words, '--no-such-option']);
    expect(unknown.stderr).toContain('--no-such-option');
  });
});

describe('the units of processes that start programs', () => {
  it.each(['ucctl-consumer@.service', 'ucctl-receiver@.service'])(
    '%s sends SIGTERM only to ucctl, and waits longer than ucctl gives its programs',
    (name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      expect(text).toMatch(/^KillMode=mixed$/m);
      // 5 s to finish, 2 s after SIGTERM, and the time of the store.
      expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(15);
    },
  );
});

describe('the unit of a worker', () => {
  it('does not start a drained worker again, which exits with 0', () => {
    const text = readFileSync(join(folder, 'ucctl-worker@.service'), 'utf8');
    expect(text).toMatch(/^Restart=on-failure$/m);
  });
});

describe('the example of the variables', () => {
  it('is read by a shell as by systemd, also if an address has parameters', () => {
    const text = readFileSync(join(folder, 'ucctl.env.example'), 'utf8');
    const file = join(temporaryFolder(), 'ucctl.env');
    writeFileSync(file, text.replace('.com/ucctl', '.com/ucctl?schema=office&sslmode=verify-full'));
    const { stdout } = spawnSync('sh', ['-c', 'set -a && . "$1" && printenv UCCTL_STORE', 'sh', file], {
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/schema=office&sslmode=verify-full/);
  });
});

/** The system calls of a set of systemd, and of the sets in it. */
function systemCalls(set: string): readonly string[] {
  const { stdout } = spawnSync('systemd-analyze', ['syscall-filter', set], { encoding: 'utf8' });
  const members = stdout
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return members.flatMap((name) => (name.startsWith('@') ? systemCalls(name) : [name]));
}

describe('the steps of docs/operation.md', () => {
  it('create the home folder of the user before the sign-in, as systemd-sysusers does not', () => {
    const home = / (\/\S+)\n$/.exec(readFileSync(join(folder, 'ucctl.sysusers'), 'utf8'))?.[1];
    const steps = readFileSync('docs/operation.md', 'utf8');
    const created = steps.indexOf(`\ninstall -d -o ucctl -g ucctl -m 700 ${home}\n`);
    expect(created).toBeGreaterThan(steps.indexOf('\nsystemd-sysusers\n'));
    expect(created).toBeLessThan(steps.indexOf(' ucctl login\n'));
  });
});

describe.skipIf(missing)('systemd-analyze', () => {
  it.each(units)('lets Node 20 start in %s, which calls pkey_alloc', (name) => {
    const filter = /^SystemCallFilter=(.*)$/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '';
    expect(filter.split(' ').flatMap(systemCalls)).toEqual(
      expect.arrayContaining(['pkey_alloc', 'epoll_wait', 'mprotect']),
    );
  });

  it.each(units)('accepts %s without a warning', (name) => {
    // Man pages are not looked for, because ucctl is not installed here.
    const { status, stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', unitWithProgram(name)],
      {
        encoding: 'utf8',
      },
    );
    expect([status, stdout + stderr]).toEqual([0, '']);
  });

  it.each(units)('rates the exposure of %s as low', (name) => {
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', unitWithProgram(name)], {
      encoding: 'utf8',
    });
    const level = Number(/exposure level for \S+ (\d+\.\d+)/.exec(stdout)?.[1]);
    expect(level).toBeLessThan(3);
  });
});
