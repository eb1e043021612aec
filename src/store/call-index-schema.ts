import type { Migration } from './migration.ts';

/**
 * Indexes for reports about calls. For an index with one column, PostgreSQL knows that the calls of a period are next to each
 * other; for an index with two columns it assumes more reads, and reads the whole table for the report of a month.
 */
export const callIndexMigration: Migration = {
  number: 8,
  name: 'indexes for reports',
  sql: `drop index if exists call_by_start;
    create index call_by_start on call_record (start_time);
    create index call_by_extension on call_record (extension_id, start_time)`,
};
