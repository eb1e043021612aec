import type { Migration } from './migration.ts';

/**
 * The policy of the archive for tasks that an earlier version enrolled. In that version it applied instead of the policy of
 * a task, so that `purge` of a task had no effect.
 */
export const taskPolicyMigration: Migration = {
  number: 18,
  name: 'action for deleted messages of fleet tasks',
  sql: `
update fleet_task set on_delete = policy.on_delete from deletion_policy policy
  where fleet_task.kind = 'messages' and policy.on_delete in ('keep', 'mark') and fleet_task.on_delete <> policy.on_delete;
`,
};
