import type { Migration } from './migration.ts';

/** A lasting random ID of the archive, so that archives with a common place for attachments delete only their own. */
export const archiveIdMigration: Migration = {
  number: 14,
  name: 'ID of the archive',
  sql: "insert into store_setting (name, value) values ('archive_id', gen_random_uuid()::text)",
};
