/**
 * Returns a statement that waits for a lock of the store, which the server releases at the end of the transaction. Stores in
 * other schemas of the database have locks of their own.
 * @param name SQL expression of the name of the lock, such as `$1`. @param mode `shared`: excludes only `exclusive` locks.
 */
export function storeLock(name: string, mode: 'exclusive' | 'shared' = 'exclusive'): string {
  const take = mode === 'shared' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  return `select ${take}(hashtextextended('ucctl ' || current_schema() || ' ' || ${name}, 0))`;
}
