import type { Migration } from './migration.ts';

/** The token of the service's sync of a call log (CALL-25). */
export const callSyncMigration: Migration = {
  number: 4,
  name: 'call log sync',
  sql: 'alter table call_stream add column sync_token text',
};
