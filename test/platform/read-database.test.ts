import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DatabaseError } from '../../src/platform/database-error.ts';
import { openToRead } from '../../src/platform/read-database.ts';
import { openOwnDatabase, type Database } from '../../src/platform/sqlite.ts';
import { openReadOnly } from '../../src/platform/sqlite/read-only.ts';
import { occupy } from '../support/occupy.ts';
import { temporaryFolder } from '../support/temporary.ts';

const tables = 'CREATE TABLE IF NOT EXISTS t (a);';

function openWithTables(file: string): Database {
  const db = openOwnDatabase(file);
  db.exec(tables);
  return db;
}

/** A database of one row whose shared memory SQLite cannot create, as on a full disk or in a read-only folder. */
async function unsharable(): Promise<string> {
  const file = join(temporaryFolder(), 'own', 'a b?#%.db');
  const db = openWithTables(file);
  db.exec('INSERT INTO t VALUES (1)');
  db.close();
  await occupy(`${file}-shm`);
  return file;
}

const rowsOf = (db: Database): readonly unknown[] => {
  const rows = db.prepare('SELECT a FROM t').all();
  db.close();
  return rows;
};

test('a database whose shared memory cannot be created is readable, but not writable', async () => {
  const file = await unsharable();
  expect(() => openWithTables(file)).toThrow(expect.objectContaining({ code: 'database_unreachable' }));
  expect(rowsOf(openReadOnly(file))).toEqual([{ a: 1 }]);
  expect(rowsOf(openToRead(file, () => openWithTables(file), tables))).toEqual([{ a: 1 }]);
});

test('a database with content outside its main file is not read without that content', async () => {
  const file = await unsharable();
  writeFileSync(`${file}-wal`, 'content');
  expect(() => openReadOnly(file)).toThrow(expect.objectContaining({ code: 'database_unreachable', file }));
});

test('a missing database in a folder that cannot be created counts as empty', () => {
  const file = '/proc/ucctl/some.db';
  expect(rowsOf(openToRead(file, () => openWithTables(file), tables))).toEqual([]);
});

test('a database whose tables could not be created counts as empty', () => {
  const file = join(temporaryFolder(), 'own', 'some.db');
  const full = (): never => {
    openOwnDatabase(file).close();
    throw new DatabaseError(file, 'full');
  };
  expect(rowsOf(openToRead(file, full, tables))).toEqual([]);
});

test('a damaged database is not read', () => {
  const file = join(temporaryFolder(), 'some.db');
  writeFileSync(file, 'damaged '.repeat(1000));
  expect(() => openToRead(file, () => openWithTables(file), tables)).toThrow(
    expect.objectContaining({ code: 'database_damaged' }),
  );
});
