import { describe, expect, it, onTestFinished } from 'vitest';
import { GroupCommit } from '../../src/platform/group-commit.ts';
import { openDatabase, transaction } from '../../src/platform/sqlite.ts';

/** A table that rejects negative numbers, and a record of the groups. */
function opened() {
  const db = openDatabase(':memory:');
  onTestFinished(() => db.close());
  db.exec('CREATE TABLE number (value INTEGER CHECK (value >= 0)) STRICT');
  const ended: boolean[] = [];
  const state = { isDiskFull: false };
  const commits = new GroupCommit({
    transaction: (work) => transaction(db, work),
    onEnd: (isCommitted) => ended.push(isCommitted),
  });
  const insert = (value: number) =>
    commits.add(() => {
      if (state.isDiskFull)
        throw Object.assign(new Error('database or disk is full'), {
          code: 'ERR_SQLITE_ERROR',
          errcode: 13,
        });
      db.prepare('INSERT INTO number VALUES (?)').run(value);
      return value;
    });
  const values = () =>
    db
      .prepare('SELECT value FROM number ORDER BY value')
      .all()
      .map((row) => (row as { value: number }).value);
  return { commits, ended, insert, state, values };
}

describe('group commit', () => {
  it('commits the work of one turn of the event loop in one transaction', async () => {
    const { commits, ended, insert } = opened();
    const added = [insert(1), insert(2), insert(3)];
    expect(commits.isWaiting).toBe(true);
    expect(await Promise.all(added)).toEqual([1, 2, 3]);
    expect([ended, commits.isWaiting]).toEqual([[true], false]);
    await insert(4);
    expect(ended).toEqual([true, true]);
  });

  it('rejects work that throws, and commits the rest of its group', async () => {
    const { insert, values } = opened();
    const results = await Promise.allSettled([insert(1), insert(-1), insert(2)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(values()).toEqual([1, 2]);
  });

  it('resolves no call before the commit', async () => {
    const { commits, insert, values } = opened();
    const seen: number[][] = [];
    const first = insert(1).then(() => seen.push(values()));
    const second = insert(2);
    commits.commit();
    await Promise.all([first, second]);
    expect(seen).toEqual([[1, 2]]);
  });

  it('fails the whole group if the database cannot be written, and accepts the next one', async () => {
    const { ended, insert, state, values } = opened();
    const added = [insert(1), insert(2)];
    state.isDiskFull = true;
    const results = await Promise.allSettled(added);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    state.isDiskFull = false;
    await insert(3);
    expect([values(), ended]).toEqual([[3], [false, true]]);
  });
});
