import { usageError } from '../errors/command.ts';
import { Postgres } from '../platform/postgres/postgres.ts';
import { postgresSettings } from '../platform/postgres/settings.ts';
import type { SentSecrets } from '../platform/sent-secrets.ts';

export {
  appliedMigrations,
  initializeStore,
  migrateStore,
  requireInitialized,
  requireUnchanged,
  requireKnownSchema,
  requireSchema,
  requireStep,
  rolesOf,
} from './manage.ts';
export { canGrantTo, defaultRoles, type StoreRoles } from './grants.ts';
export { SessionTable } from './session-table.ts';
export { storeBudget, takeBudget } from './budget.ts';
export { feedReaders, trimFeed } from './feed.ts';
export { checkStore, type StoreFinding } from './check.ts';
export type { Migration } from './migration.ts';
export { migrations, newestMigration } from './migrations.ts';
export { taskPolicyMigration } from './task-policy-schema.ts';
export { objectsOf } from './objects.ts';
export { requireOwnTransactions } from './restored.ts';
export { Postgres } from '../platform/postgres/postgres.ts';
export { restartSeconds } from '../platform/postgres/restart-wait.ts';

/** How to open a store. */
export interface StoreOptions {
  /** The address, such as `postgres://ucctl@db.example.com/ucctl`. */
  readonly url: string;
  /** The origin of the address, for messages: a flag, a variable or a file. */
  readonly source: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Gets each password that is read, also later, because output must never contain it. */
  readonly sentSecrets?: Pick<SentSecrets, 'addPassword'>;
  /** Reports a wait for a restart of the server, once for each outage. */
  readonly onRestartWait?: () => void;
}

/** Reads the address of a store; connects at the first statement. @throws {CommandError} `usage` (exit 2). */
export function connectStore({ url, source, env, sentSecrets, onRestartWait }: StoreOptions): Postgres {
  try {
    return new Postgres(postgresSettings(url, env, sentSecrets), { ...(onRestartWait && { onRestartWait }) });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`${source}: ${error.message}`);
  }
}
