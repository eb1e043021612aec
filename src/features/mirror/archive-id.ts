import { randomUUID } from 'node:crypto';
import { insertRow } from '../../platform/named-statement.ts';
import { transaction, type Database } from '../../platform/sqlite.ts';

/** Versions of ucctl that do not know this table ignore it; it therefore has no version. */
const archiveSchema = 'CREATE TABLE archive (id TEXT NOT NULL);';

/** Returns the ID of a mailbox copy; undefined if no version of ucctl with IDs has changed the copy yet. */
export function archiveIdOf(db: Database): string | undefined {
  if (db.prepare("SELECT 1 AS n FROM sqlite_schema WHERE name = 'archive'").get() === undefined)
    return undefined;
  return (db.prepare('SELECT id FROM archive').get() as { readonly id: string } | undefined)?.id;
}

/** Gives a mailbox copy a lasting random ID if it has none. */
export function ensureArchiveId(db: Database): void {
  if (archiveIdOf(db) !== undefined) return;
  transaction(db, () => {
    db.exec(archiveSchema);
    insertRow(db, 'archive', { id: randomUUID() });
  });
}
