import { naming } from '../../platform/database-error.ts';
import { linkTarget } from '../../platform/link-target.ts';
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
  const lock = naming(file, () => openAsLock(`${linkTarget(file)}.lock`));
  if (!lock) throw new DatabaseInUseError(file);
  return () => lock.close();
}
