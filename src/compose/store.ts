import { usageError } from '../errors/command.ts';
import { nextStep, ucctl } from '../errors/hint.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Parts } from './parts.ts';

/** Connects to the store of the setting. @throws {CommandError} `usage` (exit 2). */
export async function connectedStore({ settings, system, out, atEnd }: Parts): Promise<Postgres> {
  const { value: url, source } = settings.storeUrl;
  if (url === undefined) {
    throw usageError(
      'no PostgreSQL store is set',
      nextStep`use --store postgres://USER@HOST/DATABASE, set UCCTL_STORE, or set the store in the profile: ${ucctl('config set store postgres://USER@HOST/DATABASE')}`,
    );
  }
  const { connectStore, restartSeconds } = await import('../store/index.ts');
  const db = connectStore({
    url,
    source,
    env: system.env,
    sentSecrets: system.sentSecrets,
    onRestartWait: () => out.note(`waiting up to ${restartSeconds} s for a restart of the store`),
  });
  atEnd(() => db.close());
  return db;
}

/** Checks that this program knows the schema of the store. @throws {CommandError} exit 12. */
export async function checkedStore(connection: () => Promise<Postgres>): Promise<Postgres> {
  const [db, { requireSchema }] = await Promise.all([connection(), import('../store/index.ts')]);
  await requireSchema(db);
  return db;
}
