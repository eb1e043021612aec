import type { Migration } from './migration.ts';

/** What syncs do with messages that the service deleted, so that every machine does the same. */
export const deletionPolicyMigration: Migration = {
  number: 16,
  name: 'action for deleted messages',
  sql: `
create table deletion_policy (
  only_row boolean primary key default true check (only_row),
  on_delete text not null check (on_delete in ('keep', 'mark', 'purge')), set_at timestamptz not null default store_now()
);
`,
};
