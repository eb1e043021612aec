import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { insertRow, insertText, prepareNamed } from '../../src/platform/named-statement.ts';
import { openDatabase, type Database } from '../../src/platform/sqlite.ts';

interface Person {
  readonly id: number;
  readonly name: string;
  readonly age: number | null;
}

function open(): Database {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER)');
  insertRow(db, 'person', { id: 1, name: 'Ann', age: null });
  return db;
}

const people = (db: Database): readonly Person[] => prepareNamed<Person>(db, 'SELECT * FROM person').all();

describe('a statement with named parameters', () => {
  it('binds each value to every parameter of its name, and ignores other values', () => {
    const query = prepareNamed<Person>(open(), 'SELECT * FROM person WHERE id = :id AND id + 1 > :id');
    expect(query.get({ name: 'x', id: 1 })).toEqual({ id: 1, name: 'Ann', age: null });
  });

  it('fails if a value is missing', () => {
    const query = prepareNamed(open(), 'DELETE FROM person WHERE id = :id');
    expect(() => query.run({ name: 'Ann' })).toThrow('Parameter :id has no value');
  });

  it('returns the number of changed rows and the id of the new row', () => {
    const insert = prepareNamed(open(), insertText('person', ['name', 'age']));
    expect(insert.run({ age: 40, name: 'Bea' })).toEqual({ changes: 1, id: 2 });
  });
});

describe('an insert of a row that exists', () => {
  const row = { id: 1, name: 'Eve', age: 3 };

  it('fails by default', () => {
    expect(() => insertRow(open(), 'person', row)).toThrow('UNIQUE');
  });

  it.each([
    ['IGNORE', { id: 1, name: 'Ann', age: null }],
    ['REPLACE', row],
    ['ON CONFLICT DO NOTHING', { id: 1, name: 'Ann', age: null }],
    ['ON CONFLICT DO UPDATE SET age = excluded.age', { id: 1, name: 'Ann', age: 3 }],
  ] as const)('is handled as stated by: %s', (conflict, expected) => {
    const db = open();
    insertRow(db, 'person', row, conflict);
    expect(people(db)).toEqual([expected]);
  });
});

it('no INSERT in src has values by position or no column names', () => {
  const byPosition = /\bVALUES\s*\(\s*\?\s*,/i;
  const withoutColumns = /\bINSERT\s+(?:OR\s+\w+\s+)?INTO\s+\w+\s+VALUES\b/i;
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const found = files.filter((name) => {
    const text = readFileSync(join('src', name), 'utf8');
    return byPosition.test(text) || withoutColumns.test(text);
  });
  // These two build their statements from a table of columns, and write up to 100,000 rows in one sync.
  expect(found.toSorted()).toEqual([
    'features/mirror/calls/call-table.ts',
    'features/mirror/message-table.ts',
  ]);
});
