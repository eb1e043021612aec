import { insertRow } from '../../platform/named-statement.ts';
import type { Database } from '../../platform/sqlite.ts';
import type { OnDelete, StoredOnDelete } from '../../store/reply.ts';

/** Versions of ucctl that do not know this table ignore it; it therefore has no version. */
const policySchema = 'CREATE TABLE IF NOT EXISTS deletion_policy (on_delete TEXT NOT NULL);';

/** Returns the policy of a copy; undefined if no command has stored one. An earlier version also stored `purge`, which does not count. */
export function storedOnDelete(db: Database): StoredOnDelete | undefined {
  const policy = policyRow(db);
  return policy === 'purge' ? undefined : policy;
}

/** Whether an earlier version stored `purge`, and no policy was stored since. */
export function hasIgnoredPurge(db: Database): boolean {
  return policyRow(db) === 'purge';
}

function policyRow(db: Database): OnDelete | undefined {
  if (db.prepare("SELECT 1 AS n FROM sqlite_schema WHERE name = 'deletion_policy'").get() === undefined)
    return undefined;
  const row = db.prepare('SELECT on_delete AS policy FROM deletion_policy').get() as
    | { readonly policy: OnDelete }
    | undefined;
  return row?.policy;
}

/** Stores the policy of a copy, within the transaction of the caller. */
export function saveOnDelete(db: Database, policy: StoredOnDelete): void {
  db.exec(`${policySchema} DELETE FROM deletion_policy;`);
  insertRow(db, 'deletion_policy', { on_delete: policy });
}

/** Returns the number of messages of mailboxes that only the policy `purge` removes. */
export function removableCount(db: Database, extensionIds: readonly string[]): number {
  const { messages } = db
    .prepare(
      `SELECT count(*) AS messages FROM message INDEXED BY message_gone WHERE (availability <> 'Alive' OR missing_since IS NOT NULL)
       AND extension_id IN (SELECT value FROM json_each(?))`,
    )
    .get(JSON.stringify(extensionIds)) as { readonly messages: number };
  return messages;
}
