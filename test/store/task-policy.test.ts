import { describe, expect, it } from 'vitest';
import { claim } from '../../src/features/fleet/claims.ts';
import { initializeStore, migrateStore, migrations } from '../../src/store/index.ts';
import { emptyStore, postgresMissing } from '../support/postgres.ts';

/** A store of an earlier version with tasks, and with this policy of the archive. */
async function earlierStore(policy: string | undefined) {
  const { db } = await emptyStore();
  await initializeStore(db, {}, migrations.slice(0, 17));
  await db.run(
    `insert into fleet_task (kind, subject, label, every_seconds, on_delete)
     values ('messages', '1', '101', 60, 'purge'), ('messages', '2', '102', 60, 'keep'), ('media', '1', '101', 60, 'purge')`,
  );
  if (policy !== undefined) await db.run('insert into deletion_policy (on_delete) values ($1)', [policy]);
  return db;
}

/** Migrates the store. @returns the policies of its tasks */
async function migratedPolicies(policy: string | undefined) {
  const db = await earlierStore(policy);
  await migrateStore(db);
  const rows = await db.query<{ policy: string }>(
    'select on_delete as policy from fleet_task order by kind desc, subject',
  );
  return rows.map((row) => row.policy);
}

describe.skipIf(postgresMissing())('the tasks of an earlier version', () => {
  it.each([
    ['keep', ['keep', 'keep', 'purge']],
    ['mark', ['mark', 'mark', 'purge']],
    ['purge', ['purge', 'keep', 'purge']],
    [undefined, ['purge', 'keep', 'purge']],
  ])('have the policy of the archive after the migration: %s', async (policy, expected) => {
    expect(await migratedPolicies(policy)).toEqual(expected);
  });

  it.each([
    ['keep', '102', ['keep', 'purge']],
    [undefined, '102', ['purge', 'purge']],
    // The policy purge of an archive does not count.
    ['purge', '101', ['keep', 'purge']],
  ])('have the policy of the archive before the migration: %s', async (policy, other, expected) => {
    const db = await earlierStore(policy);
    const claimed = async () => {
      const found = await claim(db, {
        kind: 'messages',
        worker: 'w',
        session: 'default',
        leaseMilliseconds: 8000,
        budget: { owner: 'o', group: 'light' },
        prepays: false,
        excludedFor: undefined,
      });
      return found && 'task' in found ? found.task.onDelete : undefined;
    };
    await db.run('delete from fleet_task where label = $1', [other]);
    const before = await claimed();
    await migrateStore(db);
    await db.run("update fleet_task set due_at = '-infinity', on_delete = 'purge'");
    expect([before, await claimed()]).toEqual(expected);
  });
});
