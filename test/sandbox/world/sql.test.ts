import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { prepare, prepareInsert, QueryCache, Conditions } from '../../../src/sandbox/world/sql.ts';

interface Person {
  readonly id: number;
  readonly name: string;
  readonly age: number | null;
}

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER)');
  const add = prepareInsert<Person>(db, 'person', ['id', 'name', 'age']);
  add.run({ id: 1, name: 'Ann', age: 30 });
  add.run({ id: 2, name: 'Bea', age: 40 });
  add.run({ id: 3, name: 'Cleo', age: null });
  return db;
}

const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);

describe('parameters of a statement', () => {
  it('are given by name, in any order, and may occur several times', () => {
    const query = prepare<Person>(
      open(),
      'SELECT * FROM person WHERE age > :low AND (id = :id OR id + 1 = :id)',
    );
    expect(query.get({ id: 2, low: 35 })).toEqual({ id: 2, name: 'Bea', age: 40 });
    expect(names(query.all({ low: 0, id: 2 }))).toEqual(['Ann', 'Bea']);
  });

  it('take a null, and members that the statement does not name are ignored', () => {
    const db = open();
    const rename = prepare(db, 'UPDATE person SET name = :name, age = :age WHERE id = :id');
    expect(rename.run({ id: 2, name: 'Dora', age: null, email: 'x' }).changes).toBe(1);
    expect(prepare<Person>(db, 'SELECT * FROM person WHERE id = :id').get({ id: 2 })).toEqual({
      id: 2,
      name: 'Dora',
      age: null,
    });
  });

  it('must all be given', () => {
    const query = prepare<Person>(open(), 'SELECT * FROM person WHERE id = :id');
    expect(() => query.get({ name: 'Ann' })).toThrow(':id');
    expect(() => query.all()).toThrow(':id');
  });
});

describe('an insert', () => {
  it('replaces or ignores a row that exists, when it says so', () => {
    const db = open();
    const all = prepare<Person>(db, 'SELECT * FROM person ORDER BY id');
    prepareInsert<Person>(db, 'person', ['id', 'name', 'age'], 'IGNORE').run({ id: 1, name: 'Eve', age: 1 });
    expect(names(all.all())).toEqual(['Ann', 'Bea', 'Cleo']);
    prepareInsert<Person>(db, 'person', ['id', 'name', 'age'], 'REPLACE').run({ id: 1, name: 'Eve', age: 1 });
    expect(names(all.all())).toEqual(['Eve', 'Bea', 'Cleo']);
  });
});

describe('conditions', () => {
  it('are joined, with their values by name', () => {
    const where = new Conditions()
      .add('age > :low', { low: 20 })
      .in('name', ['Ann', 'Bea', 'Cleo'])
      .in('id', undefined)
      .add('id <> 9');
    const query = new QueryCache(open()).query<Person>(
      `SELECT * FROM person ${where.text} ORDER BY id LIMIT :limit`,
    );
    expect(names(query.all({ ...where.values, limit: 5 }))).toEqual(['Ann', 'Bea']);
    expect(new Conditions().text).toBe('');
  });

  it('of two sets are distinguished by a prefix', () => {
    const of = (low: number, prefix?: string) =>
      new Conditions(prefix).add('id >= :low', { low }).in('name', ['Bea', 'Cleo']);
    const [one, other] = [of(2), of(3, 'other')];
    const both = one.add(`NOT (${other.condition})`, other.values);
    const query = prepare<Person>(open(), `SELECT * FROM person ${both.text}`);
    expect(names(query.all(both.values))).toEqual(['Bea']);
  });

  it('cannot give two values to one name', () => {
    expect(() => new Conditions().add('id > :id', { id: 1 }).add('id < :id', { id: 2 })).toThrow(':id');
  });
});

it('statements of the sandbox name their parameters', () => {
  const folder = 'src/sandbox';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const statement = /(['"`])\s*(?:SELECT|INSERT|UPDATE|DELETE|VACUUM|ATTACH)\b[^'"`]*\?/;
  const condition = /(?:[=<>]|LIMIT|OFFSET|BETWEEN) \?(?=['"`),]| (?:AND|OR|ORDER|LIMIT|OFFSET)\b)/;
  const unnamed = files.filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return statement.test(text) || condition.test(text);
  });
  // These two are run once each, by the database itself and not by the helpers of sql.ts.
  expect(unnamed).toEqual(['control/saved-state.ts']);
});
