import type { Migration } from './migration.ts';

/** Tasks that the service rejected with the sign-in of a rate budget, so that workers execute them with other sign-ins. */
export const fleetRejectionMigration: Migration = {
  number: 15,
  name: 'rejections of fleet tasks',
  sql: `
create table fleet_rejection (
  task_id bigint not null references fleet_task on delete cascade, owner text not null, problem text not null,
  at timestamptz not null default store_now(), primary key (task_id, owner)
);
create index fleet_rejection_of_owner on fleet_rejection (owner);
`,
};
