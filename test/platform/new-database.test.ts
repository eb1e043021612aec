import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDatabase } from '../../src/platform/new-database.ts';
import { openOwnDatabase, openPrivateDatabase, writeHeader } from '../../src/platform/sqlite.ts';
import { checkIntegrity, openReadOnly } from '../../src/platform/sqlite/read-only.ts';
import { temporaryFolder } from '../support/temporary.ts';

function filled(): string {
  const file = join(temporaryFolder(), 'own', 'some.db');
  const db = openOwnDatabase(file);
  db.exec('CREATE TABLE t (a); INSERT INTO t VALUES (1)');
  db.close();
  return file;
}

/** root may write anywhere. */
const isRoot = process.getuid?.() === 0;

const linkFailure = (code: string) => () => {
  throw Object.assign(new Error(`${code}: no links`), { code, syscall: 'link' });
};

test.each([
  ['openOwnDatabase', openOwnDatabase],
  ['openPrivateDatabase', openPrivateDatabase],
  ['openReadOnly', openReadOnly],
])('%s rejects a file that was cut to 0 bytes, and names the next step', (_, open) => {
  const file = filled();
  writeFileSync(file, '');
  expect(() => open(file)).toThrow(
    expect.objectContaining({
      name: 'DatabaseError',
      code: 'database_damaged',
      message: `cannot use the database ${file}: the file is empty, so its content is lost`,
      hint: expect.stringContaining(
        `restore the file from a backup, or rename the file and its -wal and -shm files: for end in '' -wal -shm; do mv '${file}'$end '${file}.old'$end`,
      ),
    }),
  );
  expect([statSync(file).size, readdirSync(join(file, '..'))]).toEqual([0, ['some.db']]);
});

test('the check of a file with 0 bytes reports the loss', () => {
  const file = filled();
  expect(checkIntegrity(file)).toBeUndefined();
  writeFileSync(file, '');
  expect(checkIntegrity(file)).toBe('the file is empty');
});

test('a new file has content as soon as it has its name, and is private', () => {
  const file = join(temporaryFolder(), 'own', 'some.db');
  mkdirSync(join(file, '..'));
  createDatabase(file, writeHeader);
  expect(statSync(file).size).toBe(4096);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(file, '..'))).toEqual(['some.db']);
});

test('a file that another process created first is not replaced', () => {
  const file = filled();
  createDatabase(file, writeHeader);
  const db = openOwnDatabase(file);
  expect(db.prepare('SELECT a FROM t').all()).toEqual([{ a: 1 }]);
  db.close();
});

test.each(['EPERM', 'ENOTSUP', 'ENOSYS'])('without hard links (%s), the file is copied once', (code) => {
  const file = join(temporaryFolder(), 'some.db');
  createDatabase(file, writeHeader, linkFailure(code));
  expect([statSync(file).size, statSync(file).mode & 0o777]).toEqual([4096, 0o600]);
  const db = openPrivateDatabase(file);
  db.exec('CREATE TABLE t (a)');
  createDatabase(file, writeHeader, linkFailure(code));
  expect(db.prepare('SELECT * FROM t').all()).toEqual([]);
  db.close();
  expect(readdirSync(join(file, '..')).filter((name) => !name.startsWith('some.db'))).toEqual([]);
});

test('a failure leaves no file', () => {
  const folder = temporaryFolder();
  const full = (name: string) => {
    writeHeader(name);
    throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', syscall: 'write' });
  };
  expect(() => createDatabase(join(folder, 'some.db'), full)).toThrow('ENOSPC');
  expect(readdirSync(folder)).toEqual([]);
});

test('a temporary folder that cannot be removed is not an error', () => {
  const folder = temporaryFolder();
  createDatabase(join(folder, 'some.db'), writeHeader, undefined, linkFailure('EIO'));
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^\.ucctl-new-/), 'some.db']);
});

test.skipIf(isRoot)(
  'a folder that is not writable is reported (skipped for root, who may write anywhere)',
  () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o500);
    expect(() => openOwnDatabase(join(folder, 'some.db'))).toThrow(
      expect.objectContaining({ code: 'database_read_only', file: join(folder, 'some.db') }),
    );
  },
);

test('a link of the user to a missing file creates the file', () => {
  const folder = temporaryFolder();
  symlinkSync(join(folder, 'target.db'), join(folder, 'some.db'));
  openPrivateDatabase(join(folder, 'some.db')).close();
  expect(readdirSync(folder).toSorted()).toEqual(['some.db', 'target.db']);
});
