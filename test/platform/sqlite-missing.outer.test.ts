import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startUcctl } from '../support/process.ts';
import { temporaryFolder } from '../support/temporary.ts';

/** Returns a module that removes SQLite from Node. Loading the package with SQLite fails with this error. */
function withoutSqlite(folder: string, code: string, message: string): string {
  const file = join(folder, 'without-sqlite.cjs');
  writeFileSync(
    file,
    `const { Module } = require('node:module');
    const { getBuiltinModule } = process;
    process.getBuiltinModule = (id) => (id === 'node:sqlite' ? undefined : getBuiltinModule(id));
    const { _load: load } = Module;
    Module._load = (id, ...more) => {
      if (id !== '@photostructure/sqlite') return load(id, ...more);
      throw Object.assign(new Error(${JSON.stringify(message)}), { code: '${code}' });
    };`,
  );
  return file;
}

const missing: readonly [string, string] = [
  'MODULE_NOT_FOUND',
  "Cannot find module '@photostructure/sqlite'",
];
const unusable: readonly [string, string] = [
  'ERR_DLOPEN_FAILED',
  'libc.musl.so.1: cannot open shared object file',
];
const notInstalled = 'npm did not install the optional package @photostructure/sqlite';
const notLoaded = `the package @photostructure/sqlite cannot be loaded: ${unusable[1]}`;

it.each([
  ['login', 'login --flow password --username +16505550100 --store file', 'config/auth-default.lock.db'],
  ['a change of the config file', 'config set timeout 20', 'config/config.lock.db'],
  ['a journal', 'history list', 'state/runs.db'],
])('without SQLite, %s names the cause and the fix, and creates no file', async (_case, words, file) => {
  const home = temporaryFolder();
  // History looks for its journal only in an existing folder.
  mkdirSync(join(home, 'state'), { mode: 0o700 });
  const env = {
    HOME: home,
    UCCTL_CONFIG_DIR: join(home, 'config'),
    UCCTL_STATE_DIR: join(home, 'state'),
    UCCTL_BASE_URL: 'http://127.0.0.1:9',
    UCCTL_CLIENT_ID: 'app',
    UCCTL_PASSWORD: 'not-a-password-1',
  };
  for (const [cause, text] of [
    [missing, notInstalled],
    [unusable, notLoaded],
  ] as const) {
    const hook = withoutSqlite(home, ...cause);
    const run = startUcctl([...words.split(' '), '-o', 'json'], {
      env: { ...env, NODE_OPTIONS: `--require ${hook}` },
    });
    const { exit, stderr } = await run.ended;
    const { error } = JSON.parse(stderr) as { error: { code: string; message: string; hint: string } };
    expect([exit, error]).toEqual([
      12,
      expect.objectContaining({
        code: 'sqlite_missing',
        message: expect.stringContaining(
          `${join(home, file)}: this version of Node has no SQLite, and ${text}`,
        ),
        hint: expect.stringContaining('use Node 22.13 or later'),
      }),
    ]);
  }
  const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(names.filter((name) => name.includes('.db'))).toEqual([]);
});
