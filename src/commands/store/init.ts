import type { Context } from '../../runtime/context.ts';
import type { StoreRoles } from '../../store/index.ts';
import { migrationRows } from './store.rows.ts';

export interface StoreInitOptions {
  readonly writer?: string | undefined;
  readonly reader?: string | undefined;
}

/** `store init`: creates the schema of the store and grants privileges to the roles. */
export async function initStore(ctx: Context, options: StoreInitOptions): Promise<void> {
  const [db, { canGrantTo, defaultRoles, initializeStore }] = await Promise.all([
    ctx.storeConnection(),
    import('../../store/index.ts'),
  ]);
  const roles: { -readonly [K in keyof StoreRoles]: StoreRoles[K] } = {};
  await db.check();
  for (const kind of ['writer', 'reader'] as const) {
    const name = options[kind] ?? defaultRoles[kind];
    if (options[kind] !== undefined || (await canGrantTo(db, name))) roles[kind] = name;
    else
      ctx.out.warn(
        `role "${name}" does not exist, and this user may not create it, so only the owner of the store has the privileges of a ${kind}.`,
      );
  }
  const { from, to } = await ctx.out.progress('Creating tables', () => initializeStore(db, roles));
  const { place, schema } = db.settings;
  const { writer = null, reader = null } = roles;
  await ctx.out.record({ store: place, schema, from, to, writer, reader }, migrationRows.record);
}
