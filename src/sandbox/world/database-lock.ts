import { existsSync, realpathSync } from 'node:fs';
import { openAsLock } from '../../platform/sqlite.ts';

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
 * next to the database. A symbolic link to a database has the lock of the database.
 * @throws {DatabaseInUseError}
 */
export function lockDatabase(file: string): () => void {
  if (file === ':memory:') return () => undefined;
  const lock = openAsLock(`${existsSync(file) ? realpathSync(file) : file}.lock`);
  if (!lock) throw new DatabaseInUseError(file);
  return () => lock.close();
}
