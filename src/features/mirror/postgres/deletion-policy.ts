import type { Queries } from '../../../platform/postgres/postgres.ts';
import type { Database } from '../../../platform/sqlite.ts';
import type { OnDelete } from '../../../store/reply.ts';
import { storedOnDelete as policyOfFile } from '../sqlite-deletion-policy.ts';
import { removableCondition } from './merge.ts';

/** Returns the policy of the archive; undefined if no command has stored one. @throws {StoreError} */
export async function storedOnDelete(db: Queries): Promise<OnDelete | undefined> {
  const [row] = await db.query<{ policy: OnDelete }>('select on_delete as policy from deletion_policy');
  return row?.policy;
}

/** Returns the different policies of the tasks of the fleet. @throws {StoreError} */
export async function taskPolicies(db: Queries): Promise<readonly OnDelete[]> {
  const rows = await db.query<{ policy: OnDelete }>(
    "select distinct on_delete as policy from fleet_task where kind = 'messages' order by on_delete",
  );
  return rows.map(({ policy }) => policy);
}

/** Stores the policy of the archive. @throws {StoreError} */
export async function saveOnDelete(db: Queries, policy: OnDelete): Promise<void> {
  await db.run(
    `insert into deletion_policy (on_delete) values ($1)
     on conflict (only_row) do update set on_delete = excluded.on_delete, set_at = store_now()`,
    [policy],
  );
}

/** Copies the policy of a mailbox copy in a file, unless the archive or a task has one. @throws {StoreError} */
export async function copyPolicy(source: Database, db: Queries): Promise<void> {
  const policy = policyOfFile(source);
  if (policy === undefined || (await storedOnDelete(db)) !== undefined) return;
  // Tasks have `mark` if nobody chose a policy.
  if ((await taskPolicies(db)).some((one) => one !== 'mark')) return;
  await saveOnDelete(db, policy);
}

/** Returns the number of messages that only the policy `purge` removes. @throws {StoreError} */
export async function removableCount(db: Queries): Promise<number> {
  const [row] = await db.query<{ messages: number }>(
    `select count(*) as messages from message where ${removableCondition}`,
  );
  return row?.messages ?? 0;
}
