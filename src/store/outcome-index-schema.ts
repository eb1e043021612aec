import type { Migration } from './migration.ts';

/** Finds expired outcomes without reading all of them: the journal looks for them after every request that must be sent once. */
export const outcomeIndexMigration: Migration = {
  number: 12,
  name: 'index for expired outcomes',
  sql: 'create index outcome_started on outcome (started_at)',
};
