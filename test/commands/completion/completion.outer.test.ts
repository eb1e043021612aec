import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { completionNoun } from '../../../src/commands/completion/noun.command.ts';
import { logoutCommand } from '../../../src/commands/logout/logout.command.ts';
import { agentNoun } from '../../../src/commands/agent/noun.command.ts';
import { queueNoun } from '../../../src/commands/queue/noun.command.ts';
import { subscribeNoun } from '../../../src/commands/subscribe/noun.command.ts';
import { runUcctl } from '../../support/run-ucctl.ts';
import { temporaryFolder, temporaryPaths } from '../../support/temporary.ts';
import { openOffice } from '../office.ts';

const nouns = [
  completionNoun,
  queueNoun,
  agentNoun,
  subscribeNoun,
  { name: 'logout', summary: '', section: 'Account and setup', commands: [logoutCommand] } as const,
];

/** A home of its own, and the program with it. */
function atHome() {
  const home = temporaryFolder();
  const paths = temporaryPaths();
  return {
    home,
    paths,
    run: (argv: string, env: Readonly<Record<string, string>> = {}) =>
      runUcctl(argv, { nouns, paths, env: { HOME: home, SHELL: '/bin/bash', ...env } }),
  };
}

describe('completion install', () => {
  it.each([
    ['bash', '.bashrc', ['bash', '--norc', '-ic', '. ~/.bashrc; complete -p ucctl'], '_ucctl'],
    ['zsh', '.zshrc', ['zsh', '-ic', 'print $_comps[ucctl]'], '_ucctl'],
  ])('sets up %s so that a new shell has it', async (shell, startFile, [program = '', ...args], loaded) => {
    const { home, run } = atHome();
    writeFileSync(join(home, startFile), 'alias ll="ls -l"');
    const { exit, stdout } = await run(`completion install ${shell} -o json`);
    expect({ exit, ...JSON.parse(stdout) }).toMatchObject({ exit: 0, shell, action: 'installed' });
    expect(readFileSync(join(home, startFile), 'utf8')).toMatch(/^alias ll="ls -l"\n# ucctl completion\n/);
    if (spawnSync(program, ['--version']).status !== 0) return;
    const text = execFileSync(program, args, {
      env: { HOME: home, PATH: process.env['PATH'], TERM: 'dumb' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(text).toContain(loaded);
  });

  it('creates the data folder for its user alone', async () => {
    const { paths, run } = atHome();
    expect(await run('completion install bash')).toMatchObject({ exit: 0 });
    expect(existsSync(join(paths.data, 'completion', 'ucctl.bash'))).toBe(true);
    expect(statSync(paths.data).mode & 0o777).toBe(0o700);
  });

  it('needs no start file in fish', async () => {
    const { home, run } = atHome();
    const { stdout } = await run('completion install -o json', { SHELL: '/usr/bin/fish' });
    expect(JSON.parse(stdout)).toMatchObject({ shell: 'fish', action: 'installed' });
    expect(existsSync(join(home, '.config/fish/completions/ucctl.fish'))).toBe(true);
  });

  it('does nothing the second time, and uninstall leaves the start file as it was', async () => {
    const { home, run } = atHome();
    const startFile = join(home, '.bashrc');
    const before = '# mine\nexport A=1\n';
    // As people who keep their dotfiles in a repository have it.
    writeFileSync(join(home, 'dotfile'), before);
    symlinkSync(join(home, 'dotfile'), startFile);
    await run('completion install');
    const once = readFileSync(startFile, 'utf8');
    const again = await run('completion install -o json');
    expect(JSON.parse(again.stdout)).toMatchObject({ action: 'unchanged' });
    expect(readFileSync(startFile, 'utf8')).toBe(once);
    const removed = await run('completion uninstall -o json');
    expect(JSON.parse(removed.stdout)).toMatchObject({ action: 'removed' });
    expect(readFileSync(startFile, 'utf8')).toBe(before);
    expect(lstatSync(startFile).isSymbolicLink()).toBe(true);
    const nothing = await run('completion uninstall -o json');
    expect(JSON.parse(nothing.stdout)).toMatchObject({ action: 'nothing to remove' });
  });

  it('uninstall changes only its lines: links, mode and content that is not UTF-8 stay', async () => {
    const { home, run } = atHome();
    const startFile = join(home, '.bashrc');
    const before = Buffer.from('# caf\xe9\nexport A=1\n', 'latin1');
    writeFileSync(join(home, 'dotfile'), before);
    chmodSync(join(home, 'dotfile'), 0o640);
    symlinkSync(join(home, 'dotfile'), startFile);
    await run('completion install');
    const { ino } = statSync(startFile);
    await run('completion uninstall');
    const { mode, ino: replaced } = statSync(startFile);
    expect([readFileSync(startFile), mode & 0o777]).toEqual([before, 0o640]);
    // A crash leaves the old file or the new one.
    expect(replaced).not.toBe(ino);
    expect(readdirSync(home).toSorted()).toEqual(['.bashrc', 'dotfile']);
  });

  it('uninstall keeps hard links', async () => {
    const { home, run } = atHome();
    writeFileSync(join(home, 'dotfile'), '# mine\n');
    linkSync(join(home, 'dotfile'), join(home, '.bashrc'));
    await run('completion install');
    await run('completion uninstall');
    expect(readFileSync(join(home, 'dotfile'), 'utf8')).toBe('# mine\n');
    expect(statSync(join(home, '.bashrc')).nlink).toBe(2);
  });

  it('creates the missing target of a link', async () => {
    const { home, run } = atHome();
    symlinkSync('dotfile', join(home, '.bashrc'));
    await run('completion install');
    expect(readFileSync(join(home, 'dotfile'), 'utf8')).toMatch(/^# ucctl completion\n/);
    expect(lstatSync(join(home, '.bashrc')).isSymbolicLink()).toBe(true);
  });

  it('asks for the name of a shell that it does not know', async () => {
    const { run } = atHome();
    const { exit, stderr } = await run('completion install', { SHELL: '/bin/tcsh' });
    expect(exit).toBe(2);
    expect(stderr).toContain('completion does not support the shell tcsh');
  });
});

describe('what completion knows', () => {
  it('comes from the lists that were requested, and is deleted with the session', async () => {
    const { run } = await openOffice();
    const paths = temporaryPaths();
    const values = async (more = ''): Promise<readonly { kind: string; value: string }[]> => {
      const { stdout } = await run(`completion values ${more} -o json`, { nouns, paths });
      return JSON.parse(stdout) as readonly { kind: string; value: string }[];
    };
    expect(await values()).toEqual([]);
    await run('queue list', { nouns, paths });
    await run('agent list', { nouns, paths });
    const stored = await values();
    expect(stored).toContainEqual({ kind: 'queues', value: 'Support', description: '201' });
    expect(stored).toContainEqual({ kind: 'agents', value: '103', description: expect.any(String) });
    await run('logout', { nouns, paths });
    expect(await values()).toEqual([]);
    expect((await values('--refresh')).map(({ kind }) => kind)).toContain('agents');
    expect(await values('--clear')).toEqual([]);
  });

  it('does not include half of a list whose reader closed the pipe', async () => {
    const { run } = await openOffice();
    const paths = temporaryPaths();
    const closed = (): never => {
      throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE' });
    };
    await run('queue list -o ndjson', { nouns, paths, onStdout: closed });
    const { stdout } = await run('completion values -o json', { nouns, paths });
    expect(JSON.parse(stdout)).toEqual([]);
  });

  it('does not prevent a list from being shown if the cache cannot be written', async () => {
    const { run } = await openOffice();
    const paths = { ...temporaryPaths(), cache: '/dev/null/cache' };
    const { exit, stdout, stderr } = await run('queue list', { nouns, paths });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).toContain('Support');
  });
});
