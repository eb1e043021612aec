import type { Migration } from './migration.ts';

/** The file of an export. Machines that share a store may export to the same path, each to its own file. */
export const exportFileMigration: Migration = {
  number: 9,
  name: 'files of exports',
  sql: 'alter table export_state add column file text collate "C"',
};
