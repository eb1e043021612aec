import type { Context } from '../../runtime/context.ts';
import { migrationRows } from './store.rows.ts';

/** `store migrate`: applies the missing migration steps. */
export async function migrate(ctx: Context): Promise<void> {
  const [db, { migrateStore, rolesOf }] = await Promise.all([
    ctx.storeConnection(),
    import('../../store/index.ts'),
  ]);
  const { from, to, applied, renumbered, restored } = await ctx.out.progress('Updating tables', () =>
    migrateStore(db),
  );
  if (restored.length > 0) ctx.out.note(`Restored: ${restored.join(', ')}.`);
  else if (applied.length === 0) ctx.out.note('No changes: the store already has the newest version.');
  if (renumbered)
    ctx.out.note(
      'The store was restored from another database cluster. ucctl renumbered the change feed, and known readers continue at their positions.',
    );
  const { writer = null, reader = null } = await rolesOf(db);
  const { place, schema } = db.settings;
  await ctx.out.record({ store: place, schema, from, to, writer, reader }, migrationRows.record);
}
