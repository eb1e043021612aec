import type { Queries } from '../../../platform/postgres/postgres.ts';
import { openReadOnly } from '../../../platform/sqlite/read-only.ts';
import type { OnDelete, StoredOnDelete } from '../../../store/reply.ts';
import { storedOnDelete as policyOfFile } from '../sqlite-deletion-policy.ts';
import { removableCondition } from './merge.ts';

/**
 * Returns the policy of the archive; undefined if no command has stored one. An earlier version also stored `purge`, which
 * does not count. @throws {StoreError}
 */
export async function storedOnDelete(db: Queries): Promise<StoredOnDelete | undefined> {
  const [row] = await db.query<{ policy: StoredOnDelete }>(
    "select on_delete as policy from deletion_policy where on_delete <> 'purge'",
  );
  return row?.policy;
}

/** Whether an earlier version stored `purge`, and no policy was stored since. @throws {StoreError} */
export async function hasIgnoredPurge(db: Queries): Promise<boolean> {
  return (await db.query("select 1 from deletion_policy where on_delete = 'purge'")).length > 0;
}

/** Returns the different policies of the tasks of the fleet. @throws {StoreError} */
export async function taskPolicies(db: Queries): Promise<readonly OnDelete[]> {
  const rows = await db.query<{ policy: OnDelete }>(
    "select distinct on_delete as policy from fleet_task where kind = 'messages' order by on_delete",
  );
  return rows.map(({ policy }) => policy);
}

/** Stores the policy of the archive. @throws {StoreError} */
export async function saveOnDelete(db: Queries, policy: StoredOnDelete): Promise<void> {
  await db.run(
    `insert into deletion_policy (on_delete) values ($1)
     on conflict (only_row) do update set on_delete = excluded.on_delete, set_at = store_now()`,
    [policy],
  );
}

/** The policy of a file that was copied into the store, and whether the archive has it since then. */
export interface PolicyCopy {
  readonly policy: StoredOnDelete;
  readonly isCopied: boolean;
}

/**
 * Copies the policy of a mailbox copy in a file, unless the archive or a task has one. Must be called after all parts of the
 * file were copied. @returns undefined if the file has none. @throws {StoreError}
 */
export async function copyPolicy(db: Queries, file: string): Promise<PolicyCopy | undefined> {
  const source = openReadOnly(file);
  try {
    const policy = policyOfFile(source);
    if (policy === undefined) return undefined;
    const isCopied = (await storedOnDelete(db)) === undefined && (await taskPolicies(db)).length === 0;
    if (isCopied) await saveOnDelete(db, policy);
    return { policy, isCopied };
  } finally {
    source.close();
  }
}

/** Returns the number of messages of mailboxes that only the policy `purge` removes. @throws {StoreError} */
export async function removableCount(db: Queries, extensionIds: readonly string[]): Promise<number> {
  const [row] = await db.query<{ messages: number }>(
    `select count(*) as messages from message where ${removableCondition} and extension_id = any($1)`,
    [extensionIds],
  );
  return row?.messages ?? 0;
}
