import type { Migration } from './migration.ts';

/** Lets programs call `event_done` with the name of the schema, whatever the search path of their connection is. */
export const eventDoneMigration: Migration = {
  number: 11,
  name: 'search path of event_done',
  sql: 'alter function event_done(text, bigint, bigint) set search_path from current',
};
