import type { Context } from '../../runtime/context.ts';
import { migrationRows } from './store.rows.ts';

/** `store migrate`: applies the steps that the store lacks. */
export async function migrate(ctx: Context): Promise<void> {
  const [db, { migrateStore, rolesOf }] = await Promise.all([
    ctx.storeConnection(),
    import('../../store/index.ts'),
  ]);
  const { from, to, applied } = await ctx.out.progress('Updating tables', () => migrateStore(db));
  if (applied.length === 0) ctx.out.note('No changes: the store already has the newest version.');
  const { writer = null, reader = null } = await rolesOf(db);
  const { place, schema } = db.settings;
  await ctx.out.record({ store: place, schema, from, to, writer, reader }, migrationRows.record);
}
