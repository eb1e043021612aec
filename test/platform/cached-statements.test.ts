import { expect, it } from 'vitest';
import { CachedStatements } from '../../src/platform/cached-statements.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';

it('prepares a text once, also after a change of the schema', () => {
  const db = openDatabase(':memory:');
  db.exec('CREATE TABLE item (id INTEGER)');
  const cached = new CachedStatements(db);
  // The first read of `SELECT *` after the change lacks the new column on Node 22.
  const sql = 'SELECT id FROM item';
  const statement = cached.prepare(sql);
  expect(statement.all()).toEqual([]);
  db.exec('ALTER TABLE item ADD COLUMN name TEXT');
  cached.prepare('INSERT INTO item VALUES (?, ?)').run(1, 'one');
  expect(cached.prepare(sql)).toBe(statement);
  expect(statement.all()).toEqual([{ id: 1 }]);
});

it('reads the parameters of a text once', () => {
  const cached = new CachedStatements(openDatabase(':memory:'));
  const sql = 'SELECT :value AS value';
  const statement = cached.named<{ readonly value: number }>(sql);
  expect(statement.get({ value: 1 })).toEqual({ value: 1 });
  expect(cached.named(sql)).toBe(statement);
});
