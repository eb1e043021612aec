import { expect, it } from 'vitest';
import { KeptStatements } from '../../src/platform/kept-statements.ts';
import { openDatabase } from '../../src/platform/sqlite.ts';

it('prepares a text once, also after a change of the schema', () => {
  const db = openDatabase(':memory:');
  db.exec('CREATE TABLE item (id INTEGER)');
  const kept = new KeptStatements(db);
  const sql = 'SELECT * FROM item';
  const statement = kept.prepare(sql);
  expect(statement.all()).toEqual([]);
  db.exec('ALTER TABLE item ADD COLUMN name TEXT');
  kept.prepare('INSERT INTO item VALUES (?, ?)').run(1, 'one');
  expect(kept.prepare(sql)).toBe(statement);
  expect(statement.all()).toEqual([{ id: 1, name: 'one' }]);
});
