import type { Migration } from './migration.ts';

/**
 * Functions that run as the owner search temporary tables last. PostgreSQL otherwise searches them first, so that the
 * trigger of a reader's temporary table would run as the owner.
 */
export const ownerFunctionMigration: Migration = {
  number: 13,
  name: 'search path of functions that run as the owner',
  sql: `do $$ begin
  execute format('alter function feed_advance(text, xid8, bigint) set search_path = %I, pg_temp', current_schema());
end $$`,
};
