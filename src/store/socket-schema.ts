import type { Migration } from './migration.ts';

/** The WebSocket session of a shared receiver, so that the next owner can continue the session. */
export const socketMigration: Migration = {
  number: 7,
  name: 'WebSocket sessions of receivers',
  sql: 'alter table receiver add column socket jsonb',
};
