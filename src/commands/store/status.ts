import type { Context } from '../../runtime/context.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { storeStatusRows } from './store.rows.ts';

/** `store status`: shows the server and the schema of the store. */
export async function status(ctx: Context): Promise<void> {
  const [db, { appliedMigrations, newestMigration, requireInitialized, requireUnchanged, rolesOf }] =
    await Promise.all([ctx.storeConnection(), import('../../store/index.ts')]);
  const server = await db.check(false);
  await requireInitialized(db);
  const [applied, roles, size] = [await appliedMigrations(db), await rolesOf(db), await sizeOf(db)];
  const newest = applied.at(-1);
  const { place, schema, tlsMode } = db.settings;
  await ctx.out.record(
    {
      store: place,
      source: ctx.settings.storeUrl.source,
      server: server.version,
      tls: server.usesTls ? tlsMode : 'none',
      readOnly: server.isReadOnly,
      schema,
      version: newest?.number ?? 0,
      newestVersion: newestMigration(),
      migratedAt: newest?.appliedAt.toISOString() ?? null,
      writer: roles.writer ?? null,
      reader: roles.reader ?? null,
      ...size,
    },
    storeStatusRows.record,
  );
  requireUnchanged(db, applied);
}

async function sizeOf(db: Postgres): Promise<{ readonly bytes: number; readonly connections: number }> {
  const [row] = await db.query<{ bytes: number; connections: number }>(
    `select (select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint from pg_class
        where relnamespace = to_regnamespace($1) and relkind in ('r', 'm')) as bytes,
      (select count(*)::bigint from pg_stat_activity where datname = current_database() and application_name like 'ucctl%') as connections`,
    [db.settings.schema],
  );
  return row ?? { bytes: 0, connections: 0 };
}
