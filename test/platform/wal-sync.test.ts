import { fstatSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../src/platform/sqlite.ts';
import { WalSync } from '../../src/platform/wal-sync.ts';

/** A database with one table, and the syncs of its log; `problem` fails the syncs. */
function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'ucctl-wal-'));
  const file = join(folder, 'numbers.db');
  const db = openDatabase(file);
  const state = { syncs: 0, problem: undefined as Error | undefined };
  const disk = new WalSync(db, file, async () => {
    state.syncs += 1;
    if (state.problem) throw state.problem;
  });
  onTestFinished(() => {
    disk.close();
    db.close();
    rmSync(folder, { recursive: true });
  });
  db.exec('CREATE TABLE number (value INTEGER) STRICT');
  const insert = (value: number) => db.exec(`INSERT INTO number VALUES (${value})`);
  return { db, disk, file, state, insert };
}

const synchronous = (db: Database) => Object.values(db.prepare('PRAGMA synchronous').get() ?? {})[0];

it('leaves the sync of the first commit to SQLite, and does all later ones', async () => {
  const { db, disk, state, insert } = opened();
  insert(1);
  expect(synchronous(db)).toBe(2);
  await disk.soon();
  expect([synchronous(db), state.syncs]).toEqual([1, 0]);
  insert(2);
  await disk.soon();
  insert(3);
  await disk.soon();
  expect(state.syncs).toBe(2);
});

it('syncs with the function of the system if no other is given', async () => {
  const { db, file, insert } = opened();
  const disk = new WalSync(db, file);
  insert(1);
  await disk.soon();
  insert(2);
  await disk.soon();
  insert(3);
  disk.now();
  disk.close();
  expect(synchronous(db)).toBe(1);
});

it('reports a failed sync, and then trusts only a copy to the database', async () => {
  const { db, disk, file, state, insert } = opened();
  await disk.soon();
  insert(1);
  state.problem = Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fdatasync' });
  await expect(disk.soon()).rejects.toThrow(`cannot use the database ${file}: the disk failed`);
  state.problem = undefined;
  // A reader blocks the copy of what was committed after its snapshot.
  const reader = openDatabase(file);
  reader.exec('PRAGMA busy_timeout = 0; BEGIN; SELECT count(*) FROM number');
  db.exec('PRAGMA busy_timeout = 0');
  insert(2);
  await expect(disk.soon()).rejects.toThrow('the disk failed');
  expect(() => disk.now()).toThrow('the disk failed');
  reader.close();
  await disk.soon();
  expect(state.syncs).toBe(1);
  insert(3);
  await disk.soon();
  expect(state.syncs).toBe(2);
});

it('leaves the log open until the sync in progress has ended', async () => {
  const { db, file, insert } = opened();
  const state = { end: () => undefined as void, log: -1 };
  const disk = new WalSync(db, file, (log) => {
    state.log = log;
    return new Promise((resolve) => (state.end = resolve));
  });
  insert(1);
  await disk.soon();
  insert(2);
  const syncing = disk.soon();
  disk.close();
  expect(fstatSync(state.log).isFile()).toBe(true);
  state.end();
  await expect(syncing).resolves.toBeUndefined();
});
