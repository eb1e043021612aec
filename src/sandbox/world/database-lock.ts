import { readlinkSync, realpathSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { naming } from '../../platform/database-error.ts';
import { openAsLock } from '../../platform/sqlite/lock.ts';

/** The error for a database that another process uses. */
class DatabaseInUseError extends Error {
  override readonly name = 'DatabaseInUseError';
  readonly code = 'DATABASE_IN_USE';

  constructor(file: string) {
    super(`another sandbox is using the database ${file}`);
  }
}

/**
 * Locks a database file for this process, until the returned function is called or the process ends. The lock is a file
 * next to the database. A symbolic link to a database has the lock of the database, even before the database exists.
 * @throws {DatabaseInUseError} @throws {DatabaseError} if the lock file cannot be created.
 */
export function lockDatabase(file: string): () => void {
  if (file === ':memory:') return () => undefined;
  const lock = naming(file, () => openAsLock(`${targetOf(file)}.lock`));
  if (!lock) throw new DatabaseInUseError(file);
  return () => lock.close();
}

/** Largest number of links to follow, as on Linux. */
const mostLinks = 40;

/** Follows symbolic links to a file, which need not exist. */
function targetOf(file: string): string {
  let target = file;
  try {
    for (let links = 0; links < mostLinks; links += 1) {
      target = resolve(realpathSync(dirname(target)), readlinkSync(target));
    }
  } catch {
    // The target is not a link.
  }
  return target;
}
