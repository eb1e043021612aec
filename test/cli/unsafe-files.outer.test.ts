import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const head = '(function (exports, require, module, __filename, __dirname) { ';

interface Home {
  readonly folder: string;
  readonly config: string;
  readonly state: string;
  readonly compiled: string;
  run(...words: readonly string[]): Ended;
  /** Runs a command in a process that loads this file first. */
  runOn(file: string, ...words: readonly string[]): Ended;
}

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number | null;
}

function openHome(): Home {
  const folder = temporaryFolder();
  const env = {
    HOME: folder,
    UCCTL_CONFIG_DIR: join(folder, 'config'),
    UCCTL_STATE_DIR: join(folder, 'state'),
    UCCTL_CACHE_DIR: join(folder, 'cache'),
    UCCTL_BASE_URL: 'http://127.0.0.1:9',
    UCCTL_STORE: 'file',
  };
  mkdirSync(env.UCCTL_CONFIG_DIR, { mode: 0o700 });
  mkdirSync(env.UCCTL_STATE_DIR, { mode: 0o700 });
  const start = (flags: readonly string[], words: readonly string[]): Ended =>
    spawnSync(process.execPath, [...flags, 'bin/ucctl.cjs', ...words], { env, encoding: 'utf8' });
  return {
    folder,
    config: env.UCCTL_CONFIG_DIR,
    state: env.UCCTL_STATE_DIR,
    compiled: join(env.UCCTL_CACHE_DIR, 'compiled'),
    run: (...words) => start([], words),
    runOn: (file, ...words) => start(['--require', file], words),
  };
}

/** Every file of the cache below the folder. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('files that other users can change', () => {
  it('a config folder for everybody is rejected with the command that fixes it', () => {
    const home = openHome();
    chmodSync(home.config, 0o777);
    const { status, stderr } = home.run('config', 'list');
    expect([status, stderr]).toEqual([
      12,
      `error: ${home.config} can be changed by other users (mode 0777)\n  try:     chmod go-w '${home.config}'\n`,
    ]);
    chmodSync(home.config, 0o700);
    expect(home.run('config', 'list').status).toBe(0);
  });

  it('a named pipe in place of config.json is rejected, and not opened', () => {
    const home = openHome();
    const file = join(home.config, 'config.json');
    expect(spawnSync('mkfifo', ['-m', '600', file]).status).toBe(0);
    const { status, stderr } = home.run('config', 'list');
    expect([status, stderr]).toEqual([
      12,
      expect.stringContaining(`cannot read the config file ${file}\n  the path is not a regular file\n`),
    ]);
  });

  it('links in place of the sessions folder and of a journal are rejected and stay untouched', () => {
    const home = openHome();
    const elsewhere = join(home.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(home.config, 'sessions'));
    writeFileSync(join(elsewhere, 'outcomes.db'), '');
    symlinkSync(join(elsewhere, 'outcomes.db'), join(home.state, 'outcomes.db'));
    const status = home.run('status');
    const list = home.run('outcome', 'list');
    expect([list.status, list.stderr]).toEqual([
      12,
      `error: ${join(home.state, 'outcomes.db')} is a symbolic link; ucctl does not follow links to its own files\n` +
        `  try:     delete the link (rm '${join(home.state, 'outcomes.db')}'), or replace the link with a copy of its target\n`,
    ]);
    expect([status.status, status.stderr]).toEqual([
      12,
      expect.stringContaining(`${join(home.config, 'sessions')} is a symbolic link`),
    ]);
    expect(readdirSync(elsewhere)).toEqual(['outcomes.db']);
    expect(statSync(join(elsewhere, 'outcomes.db')).size).toBe(0);
  });
});

describe('a link next to a journal', () => {
  it.each(['-wal', '-shm', '-journal'])('in place of outcomes.db%s is rejected', (suffix) => {
    const home = openHome();
    const elsewhere = join(home.folder, 'elsewhere');
    writeFileSync(elsewhere, 'mine');
    const link = join(home.state, `outcomes.db${suffix}`);
    symlinkSync(elsewhere, link);
    const { status, stderr } = home.run('outcome', 'list');
    expect([status, stderr]).toEqual([
      12,
      `error: ${link} is a symbolic link; ucctl does not follow links to its own files\n` +
        `  try:     delete the link (rm '${link}'), or replace the link with a copy of its target\n`,
    ]);
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  });
});

describe('a file system without owners', () => {
  /** Lets every file below the folders look as on FAT: one owner and mode for all files, also for new ones. */
  function withoutOwners(home: Home): string {
    const file = join(home.folder, 'without-owners.cjs');
    const folders = JSON.stringify([home.config, home.state]);
    writeFileSync(
      file,
      `const fs = require('node:fs');
      for (const name of ['lstatSync', 'statSync']) {
        const examine = fs[name];
        fs[name] = (path, ...rest) => {
          const entry = examine(path, ...rest);
          if (!entry || !${folders}.some((folder) => String(path).startsWith(folder))) return entry;
          return Object.assign(entry, { uid: 1234, gid: 1234, mode: entry.mode | 0o777 });
        };
      }`,
    );
    return file;
  }

  it.each(['config list', 'config set timeout 20', 'outcome list'])(
    'is accepted by %s with one warning',
    (line) => {
      const home = openHome();
      const { status, stderr } = home.runOn(withoutOwners(home), ...line.split(' '));
      expect(status).toBe(0);
      expect(stderr.split('\n').filter((one) => one.includes('without file ownership'))).toEqual([
        `warning: ${home.config} is on a file system without file ownership, so other users may be able to change the files; set UCCTL_CONFIG_DIR to a folder on another file system`,
      ]);
      expect(readdirSync(home.config).filter((name) => name.startsWith('.ucctl-owner'))).toEqual([]);
    },
  );

  it('does not permit links in place of its own files', () => {
    const home = openHome();
    const elsewhere = join(home.folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, join(home.config, 'sessions'));
    const { status, stderr } = home.runOn(withoutOwners(home), 'status');
    expect([status, stderr]).toEqual([12, expect.stringContaining('is a symbolic link')]);
  });
});

describe.skipIf(!isRoot)('files that belong to another user (only root can make them)', () => {
  it('a config file of another user is not read', () => {
    const home = openHome();
    const file = join(home.config, 'config.json');
    writeFileSync(file, '{"version":1,"profiles":{"default":{"baseUrl":"https://evil.example"}}}');
    chownSync(file, nobody, nobody);
    const { status, stdout, stderr } = home.run('login', '--flow', 'password', '--no-input');
    expect([status, stdout]).toEqual([12, '']);
    expect(stderr).toContain(`${file} belongs to another user (uid ${nobody}), and ucctl runs as uid 0`);
    expect(stderr).not.toContain('evil');
  });

  it('compiled code of another user is ignored without a message', () => {
    const home = openHome();
    expect(home.run('queue', 'list', '--help').status).toBe(0);
    const evil = join(home.folder, 'evil-ran');
    const files = filesIn(home.compiled);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      if (file.endsWith('.bin')) writeFileSync(file, foreignCode(file, evil));
      chownSync(file, nobody, nobody);
    }
    expect(home.run('queue', 'list', '--help')).toMatchObject({ status: 0, stderr: '' });
    expect(existsSync(evil)).toBe(false);
  });

  it('a whole cache folder of another user is neither read nor written', () => {
    const home = openHome();
    mkdirSync(home.compiled, { recursive: true, mode: 0o777 });
    chownSync(home.compiled, nobody, nobody);
    expect(home.run('queue', 'list', '--help')).toMatchObject({ status: 0, stderr: '' });
    expect(filesIn(home.compiled)).toEqual([]);
  });
});

/** What another user would put there: code that leaves a trace, compiled for a source of the same length. */
function foreignCode(file: string, trace: string): Buffer {
  const source = join('dist/cli', (file.split('/').at(-1) ?? '').replace(/\.bin$/, ''));
  const length = head.length + readFileSync(source, 'utf8').length + '\n})'.length;
  const attack = `${head}require('node:fs').writeFileSync(${JSON.stringify(trace)}, '');`;
  const code = new Script(`${attack}${' '.repeat(length - attack.length - 3)}\n})`, {
    columnOffset: -head.length,
  });
  code.runInThisContext();
  const compiled = code.createCachedData();
  return Buffer.concat([compiled, compiled]);
}
