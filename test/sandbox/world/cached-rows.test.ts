import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../src/platform/sqlite.ts';
import { TransactionGroup } from '../../../src/sandbox/world/transaction-group.ts';
import { cachedRowsOf } from '../../../src/sandbox/world/cached-rows.ts';
import { prepare, prepareCached } from '../../../src/sandbox/world/sql.ts';

function open() {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec("CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO person VALUES (1, 'Ann')");
  const none = () => undefined;
  const read = prepareCached<{ readonly name: string }>(
    db,
    'person',
    'SELECT name FROM person WHERE id = :id',
  );
  const rename = prepare(db, 'UPDATE person SET name = :name WHERE id = 1');
  const commits = new TransactionGroup(db, true, { beforeCommit: none, undo: none, afterCommit: none });
  return { db, commits, rename, read: (id = 1) => read(id)?.name };
}

describe('cached rows', () => {
  it('are read once, and again after a write', () => {
    const { db, read, rename } = open();
    expect(read()).toBe('Ann');
    // Not by a statement of the stores, so that nothing is forgotten.
    db.exec("UPDATE person SET name = 'Bea'");
    expect(read()).toBe('Ann');
    rename.run({ name: 'Cleo' });
    expect(read()).toBe('Cleo');
  });

  it('are those of the last commit: what a transaction writes is seen in it at once, and not after it was undone', async () => {
    const { commits, read, rename } = open();
    expect(read()).toBe('Ann');
    const failed = commits.soon(() => {
      rename.run({ name: 'Bea' });
      expect(read()).toBe('Bea');
      throw new Error('undone');
    });
    const made = commits.soon(() => {
      expect(read()).toBe('Ann');
    });
    await expect(failed).rejects.toThrow('undone');
    await made;
    expect(read()).toBe('Ann');
    expect(() =>
      commits.now(() => {
        rename.run({ name: 'Cleo' });
        read();
        throw new Error('undone');
      }),
    ).toThrow('undone');
    expect(read()).toBe('Ann');
    commits.now(() => rename.run({ name: 'Dora' }));
    expect(read()).toBe('Dora');
  });

  it('do not hide a row that is inserted later', () => {
    const { db, read } = open();
    expect(read(2)).toBeUndefined();
    db.exec("INSERT INTO person VALUES (2, 'Eve')");
    expect(read(2)).toBe('Eve');
  });

  it('are of one database each', () => {
    const [one, other] = [open(), open()];
    one.rename.run({ name: 'Bea' });
    expect([one.read(), other.read()]).toEqual(['Bea', 'Ann']);
    expect(cachedRowsOf(one.db)).not.toBe(cachedRowsOf(other.db));
  });
});
