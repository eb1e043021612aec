import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  DatabaseError,
  databaseProblemAt,
  databaseProblemOf,
  isOfDatabase,
  named,
} from '../../src/platform/database-error.ts';
import { iterateRows, openDatabase, transaction } from '../../src/platform/sqlite.ts';
import { openReadOnly } from '../../src/platform/sqlite/read-only.ts';
import { sqlitePackage, type Database } from '../../src/platform/sqlite/connection.ts';
import { nameFailures } from '../../src/platform/sqlite/name-failures.ts';
import { temporaryFolder } from '../support/temporary.ts';

function filled(): string {
  const file = join(temporaryFolder(), 'some.db');
  const db = openDatabase(file);
  db.exec('CREATE TABLE t (a UNIQUE)');
  transaction(db, () => {
    const insert = db.prepare('INSERT INTO t VALUES (?)');
    for (let row = 0; row < 3000; row += 1) insert.run(`${'x'.repeat(50)}${row}`);
  });
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return file;
}

/** Pages in the middle of the file are overwritten; it opens as before. */
function damaged(): string {
  const file = filled();
  writeFileSync(file, readFileSync(file).fill(0xff, 4096 * 2, 4096 * 40));
  return file;
}

test.each([
  ['all', (file: string) => openReadOnly(file).prepare('SELECT * FROM t').all()],
  ['get', (file: string) => openDatabase(file).prepare('SELECT count(*) FROM t').get()],
  ['run', (file: string) => openDatabase(file).prepare("INSERT INTO t VALUES ('a')").run()],
  ['iterate', (file: string) => [...openDatabase(file).prepare('SELECT * FROM t').iterate()]],
  ['iterateRows', (file: string) => [...iterateRows(openDatabase(file), 'SELECT * FROM t')]],
  ['exec', (file: string) => openDatabase(file).exec('DELETE FROM t')],
])('damage that is detected later is reported with the file: %s', (_, work) => {
  const file = damaged();
  expect(() => work(file)).toThrow(
    expect.objectContaining({
      name: 'DatabaseError',
      code: 'database_damaged',
      file,
      message: expect.stringContaining(file),
    }),
  );
});

test('a full disk is reported as such, although SQLite has already rolled back', () => {
  const db = openDatabase(filled());
  db.exec('PRAGMA max_page_count = 100');
  const insert = db.prepare('INSERT INTO t VALUES (?)');
  const fill = () => {
    for (let row = 0; ; row += 1) insert.run(`${'y'.repeat(3000)}${row}`);
  };
  expect(() => transaction(db, fill)).toThrow(expect.objectContaining({ code: 'disk_full', errcode: 13 }));
});

test('a database that is not writable is reported as such', () => {
  const file = filled();
  const db = openDatabase(file);
  db.exec('PRAGMA query_only = ON');
  expect(() => db.exec('CREATE TABLE z (a)')).toThrow(
    expect.objectContaining({ code: 'database_read_only' }),
  );
  // What was opened for reading is not to be written: that is a fault of the statement.
  expect(() => openReadOnly(file).exec('CREATE TABLE z (a)')).toThrow(/readonly database/);
});

test('a file that SQLite cannot open because of the limit on open files is reported as such', () => {
  const file = join(temporaryFolder(), 'missing', 'some.db');
  let error: unknown;
  try {
    openReadOnly(file);
  } catch (caught) {
    error = (caught as Error).cause;
  }
  expect(databaseProblemAt(file, error)).toBe('unreachable');
  expect(databaseProblemAt(file, error, () => true)).toBe('files');
  const limit = Object.assign(new Error('EMFILE: open'), { code: 'EMFILE', syscall: 'open' });
  expect(named(limit, file)).toMatchObject({
    code: 'too_many_files',
    message: `cannot use the database ${file}: this process has too many open files (ulimit -n)`,
    hint: 'raise the limit of the shell (ulimit -n) and run the command again',
  });
});

test('a lock of another process is reported as such, and an error of a statement is unchanged', () => {
  const file = filled();
  const [one, other] = [openDatabase(file), openDatabase(file)];
  other.exec('PRAGMA busy_timeout = 0');
  one.exec('BEGIN IMMEDIATE');
  expect(() => transaction(other, () => undefined)).toThrow(
    expect.objectContaining({ code: 'database_busy', retryable: true }),
  );
  one.exec('ROLLBACK');
  expect(() => other.prepare('SELEC')).toThrow(expect.objectContaining({ code: 'ERR_SQLITE_ERROR' }));
});

test.each(['busy', 'full', 'broken'] as const)('a database that is %s may be usable later', (problem) => {
  expect(new DatabaseError('file', problem).retryable).toBe(true);
  expect(new DatabaseError('file', 'damaged').retryable).toBe(false);
});

test('an abort, whose code is a number, is not an error of the database', () => {
  const abort: unknown = AbortSignal.abort().reason;
  expect(abort).toHaveProperty('code', 20);
  expect(databaseProblemOf(abort)).toBeUndefined();
  expect(isOfDatabase(abort)).toBe(false);
  expect(named(abort, 'file')).toBe(abort);
});

test('an installation without the optional package is not reported as a bug of ucctl', () => {
  const load = createRequire(join(temporaryFolder(), 'program.cjs'));
  expect(() => sqlitePackage('some.db', load)).toThrow(
    expect.objectContaining({
      code: 'sqlite_missing',
      message: expect.stringContaining('some.db'),
      hint: expect.stringMatching(
        /npm install --global --include=optional ucctl; in a project .*library: npm install --include=optional$/,
      ),
    }),
  );
});

test.each([
  [
    Object.assign(new Error('libm.so.6: version GLIBC_2.29 not found\nmore'), { code: 'ERR_DLOPEN_FAILED' }),
    'sqlite_missing',
    'cannot be loaded: libm.so.6: version GLIBC_2.29 not found',
  ],
  [new Error('No native build was found'), 'sqlite_missing', 'cannot be loaded: No native build was found'],
  [new Error('EMFILE: too many open files, open'), 'too_many_files', 'too many open files (ulimit -n)'],
])('a package with SQLite that fails with "%s" is not reported as a bug of ucctl', (cause, code, text) => {
  const load = () =>
    sqlitePackage('some.db', () => {
      throw cause;
    });
  expect(load).toThrow(expect.objectContaining({ code, message: expect.stringContaining(text), cause }));
});

test('the commands that rename a damaged database are valid for a path with an apostrophe', () => {
  const { hint } = new DatabaseError("/home/o'b/a.db", 'damaged');
  expect(hint).toContain(String.raw`mv '/home/o'\''b/a.db'$end '/home/o'\''b/a.db.old'$end`);
});

test.each<readonly [string, () => string, string]>([
  ['is intact', filled, 'database_unreadable'],
  ['is damaged', damaged, 'database_damaged'],
  // Reading this file of Linux fails with EIO.
  ['cannot be read', () => '/proc/self/mem', 'database_unreadable'],
])('damage that SQLite reports is only reported for a damaged file: the file %s', (_, fileOf, code) => {
  const error = new Error('database disk image is malformed');
  const exec = () => {
    throw Object.assign(error, { code: 'ERR_SQLITE_ERROR', errcode: 11 });
  };
  const db: Pick<Database, 'exec' | 'prepare'> = { exec, prepare: exec };
  nameFailures(db as Database, fileOf());
  expect(() => db.exec('SELECT 1')).toThrow(expect.objectContaining({ code, cause: error }));
});

test.skipIf(process.platform !== 'linux')(
  'the search for damage keeps the locks of another connection',
  () => {
    const file = join(temporaryFolder(), 'some.db');
    const own = openDatabase(file);
    own.exec('PRAGMA journal_mode = WAL');
    own.exec('CREATE TABLE t (a)');
    const locks = (): number => {
      const ofFile = new RegExp(` ${process.pid} \\S+:${statSync(file).ino} `);
      return readFileSync('/proc/locks', 'utf8')
        .split('\n')
        .filter((line) => ofFile.test(line)).length;
    };
    expect(locks()).toBe(1);
    const exec = () => {
      throw Object.assign(new Error('database disk image is malformed'), {
        code: 'ERR_SQLITE_ERROR',
        errcode: 11,
      });
    };
    const db: Pick<Database, 'exec' | 'prepare'> = { exec, prepare: exec };
    nameFailures(db as Database, file);
    expect(() => db.exec('SELECT 1')).toThrow(expect.objectContaining({ code: 'database_unreadable' }));
    expect(locks()).toBe(1);
  },
);

test('the next step for a damaged journal of sends names what is lost', () => {
  expect(new DatabaseError('/state/outcomes.db', 'damaged').hint).toContain(
    'the dedupe keys and unknown outcomes',
  );
  expect(new DatabaseError('/state/runs.db', 'damaged').hint).toMatch(/^rename the file/);
});
