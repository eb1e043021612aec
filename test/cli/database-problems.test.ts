import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/platform/sqlite.ts';
import type { Paths } from '../../src/runtime/context.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { temporaryPaths } from '../support/temporary.ts';
import { openOffice } from '../commands/office.ts';

const databases: readonly (readonly [string, (paths: Paths) => string, string])[] = [
  ['inbox', ({ state }) => join(state, 'inbox', 'default.db'), 'events list'],
  ['outcomes', ({ state }) => join(state, 'outcomes.db'), 'outcome list'],
  ['runs', ({ state }) => join(state, 'runs.db'), 'history list'],
  ['copy of the mailbox', ({ data }) => join(data, 'mailbox', 'default.sqlite'), 'sync'],
  ['read copy of the mailbox', ({ data }) => join(data, 'mailbox', 'default.sqlite'), 'sync status'],
];
const locks: typeof databases = [
  ['receiver', ({ state }) => join(state, 'inbox', 'default.listen.lock'), 'webhook listen'],
  ['copy', ({ data }) => join(data, 'mailbox', 'default.sqlite.lock'), 'sync'],
  ['settings', ({ config }) => join(config, 'config.lock.db'), 'config set timeout 30'],
];

interface ErrorLine {
  readonly error: { readonly code: string; readonly message: string; readonly hint?: string };
}

/** How a command ends when its file is in a state. */
async function ending(command: string, file: string, paths: Paths) {
  const office = await openOffice();
  const run = command.startsWith('config') ? runUcctl : office.run;
  const { exit, stderr } = await run(`${command} -o json`, { paths });
  const {
    code,
    message,
    hint = '',
  } = (JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as ErrorLine).error;
  expect(message).toContain(file);
  // Words of SQLite's own say nothing to those who read them.
  expect(message).not.toMatch(/malformed|is not a database|unable to open/i);
  return { exit, code, hint };
}

function place(file: string, content: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}

describe('a database that cannot be used is named, with the problem and the next step', () => {
  it.each(databases)('%s: damaged', async (_, fileOf, command) => {
    const paths = temporaryPaths();
    const file = fileOf(paths);
    place(file, 'torn '.repeat(1000));
    expect(await ending(command, file, paths)).toMatchObject({
      exit: 12,
      code: 'database_damaged',
      hint: expect.stringContaining(`mv '${file}'`),
    });
  });

  it.each(databases)('%s: cut to 0 bytes', async (_, fileOf, command) => {
    const paths = temporaryPaths();
    const file = fileOf(paths);
    place(file, '');
    expect(await ending(command, file, paths)).toMatchObject({
      exit: 12,
      code: 'database_damaged',
      hint: expect.stringContaining(`mv '${file}'`),
    });
  });

  it.each(databases.slice(0, 4))('%s: a folder in its place', async (_, fileOf, command) => {
    const paths = temporaryPaths();
    const file = fileOf(paths);
    mkdirSync(file, { recursive: true });
    expect(await ending(command, file, paths)).toMatchObject({ exit: 12, code: 'database_unreachable' });
  });

  it.each(databases)('%s: made by a newer ucctl', async (_, fileOf, command) => {
    const paths = temporaryPaths();
    const file = fileOf(paths);
    place(file, '');
    const db = openDatabase(file);
    db.exec('CREATE TABLE mailbox (later); PRAGMA user_version = 99;');
    db.close();
    expect(await ending(command, file, paths)).toMatchObject({
      exit: 12,
      code: 'database_newer',
      hint: expect.stringContaining('newer version of ucctl'),
    });
  });

  it.each(['sync', 'sync status'])(
    '%s: the database of another program is not reported as one of a newer ucctl',
    async (command) => {
      const paths = temporaryPaths();
      const file = join(paths.data, 'mailbox', 'default.sqlite');
      place(file, '');
      const db = openDatabase(file);
      db.exec('CREATE TABLE theirs (a); PRAGMA user_version = 99;');
      db.close();
      expect(await ending(command, file, paths)).toMatchObject({ exit: 12, code: 'foreign_database' });
    },
  );

  it.each(databases.slice(0, 4))('%s: a file in place of its folder', async (_, fileOf, command) => {
    const paths = temporaryPaths();
    const file = fileOf(paths);
    place(dirname(file), '');
    expect(await ending(command, file, paths)).toMatchObject({ exit: 12 });
  });

  it.each(locks)('lock of the %s: damaged', async (_, fileOf, command) => {
    const paths = temporaryPaths();
    const file = fileOf(paths);
    place(file, 'torn '.repeat(1000));
    expect(await ending(command, file, paths)).toMatchObject({
      exit: 12,
      code: 'lock_unusable',
      hint: expect.stringContaining(`rm '${file}'`),
    });
  });
});
