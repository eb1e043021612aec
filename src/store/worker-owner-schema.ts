import type { Migration } from './migration.ts';

/** The sign-ins that running workers of the fleet use. */
export const workerOwnerMigration: Migration = {
  number: 17,
  name: 'sign-ins of fleet workers',
  sql: `
create table fleet_worker_owner (
  worker text collate "C" not null references fleet_worker on delete cascade, kind text collate "C" not null, owner text not null,
  primary key (worker, kind, owner)
);
`,
};
