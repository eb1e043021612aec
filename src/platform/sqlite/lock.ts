import { writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { databaseProblemOf } from '../database-error.ts';
import { makeFolder } from '../make-folder.ts';
import { loadSqlite, type Database } from './connection.ts';
import { nameFailures } from './name-failures.ts';

/**
 * Creates the empty file of a lock (mode 0600, in a folder of mode 0700), if it does not exist. The mode is set at
 * creation, so the file is never readable by others. An existing file must not be opened here: closing it would release the locks of
 * this process on it (POSIX record locks).
 */
export function createPrivate(file: string): void {
  makeFolder(dirname(file), 0o700);
  try {
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens a small database that serves as a lock between processes (process-lock.ts). The connection has the lock until
 * it is closed, even after commits. Undefined if another connection has the lock; never waits.
 */
export function openAsLock(file: string): Database | undefined {
  const { DatabaseSync } = loadSqlite(file);
  const db = new DatabaseSync(file);
  try {
    db.exec('PRAGMA busy_timeout = 0; PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL;');
    db.exec('BEGIN EXCLUSIVE; COMMIT;');
  } catch (error) {
    db.close();
    if (databaseProblemOf(error) === 'busy') return undefined;
    throw error;
  }
  nameFailures(db, file);
  return db;
}

/**
 * Releases a lock of `openAsLock`. Closing alone is not enough: on Node 20 a connection stays open, with its lock,
 * until its statements are garbage collected.
 */
export function closeLock(db: Database): void {
  // An exclusive connection releases its lock at its first access after the switch to normal mode.
  db.exec('PRAGMA locking_mode = NORMAL; BEGIN; SELECT count(*) FROM sqlite_schema; COMMIT;');
  db.close();
}
