import { usageError } from '../../../errors/command.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { checkStoreUrl, isStoreUrl } from '../../../platform/store-address.ts';
import type { Context } from '../../../runtime/context.ts';
import { maskUserInfo } from '../../../platform/user-info.ts';

/** The store that gets the events of receivers, or gives them to consumers. */
export interface Sink {
  readonly db: Postgres;
  /** Closes the store if this sink opened it. */
  close(): Promise<void>;
}

/** Opens the store of the profile. @throws {CommandError} `usage` (exit 2), or of the store (exit 12). */
export async function openEventStore(ctx: Context): Promise<Postgres> {
  const [db, { requireOwnTransactions }] = await Promise.all([
    ctx.store(),
    import('../../../store/index.ts'),
  ]);
  await requireOwnTransactions(db);
  return db;
}

/**
 * Opens the place of `--sink`: `store` for the store of the profile, or an address.
 * @throws {CommandError} `usage` (exit 2), or of the store (exit 12). @throws {StoreError}
 */
export async function openSink(ctx: Context, text: string): Promise<Sink> {
  if (text === 'store') return { db: await openEventStore(ctx), close: () => Promise.resolve() };
  if (!isStoreUrl(text))
    throw usageError(
      `--sink: "${maskUserInfo(text)}" is not a store`,
      'use "store" for the store of the profile, postgres://USER@HOST/DATABASE, or nats://HOST:PORT/STREAM',
    );
  let url: string;
  try {
    url = checkStoreUrl(text, false);
  } catch (error) {
    throw usageError(`--sink: ${error instanceof Error ? error.message : ''}`);
  }
  const { connectStore, requireOwnTransactions, requireSchema } = await import('../../../store/index.ts');
  const db = connectStore({ url, source: '--sink', env: ctx.env, sentSecrets: ctx.sentSecrets });
  try {
    await requireSchema(db);
    await requireOwnTransactions(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return { db, close: () => db.close() };
}
