import type { Postgres } from '../../platform/postgres/postgres.ts';
import {
  forgetRejections,
  pauseTasks,
  resumeTasks,
  retryTasks,
  type TaskKind,
  type TaskSelection,
} from '../../features/fleet/index.ts';
import type { Context } from '../../runtime/context.ts';
import { changedRows } from './fleet.rows.ts';
import { selectionOf, type SelectionOptions } from './selection.ts';

/** `fleet pause`. */
export const pause = changing(pauseTasks);
/** `fleet resume`. */
export const resume = changing(resumeTasks);
/** `fleet retry`. */
export const retry = changing((db, selection) =>
  db.transaction(async (transaction) => {
    // The update locks the tasks, so that every rejection of an earlier attempt is deleted.
    const changed = await retryTasks(transaction, selection);
    await forgetRejections(transaction, selection);
    return changed;
  }),
);

/** Returns a handler that changes the selected tasks of each kind, and shows how many it changed. */
function changing(change: (db: Postgres, selection: TaskSelection) => Promise<number>) {
  return async (ctx: Context, options: SelectionOptions): Promise<void> => {
    const db = await ctx.store();
    const { kinds, subjects } = await selectionOf(ctx, options);
    const changes: { readonly task: TaskKind; readonly changed: number }[] = [];
    for (const task of kinds) changes.push({ task, changed: await change(db, { kinds: [task], subjects }) });
    await ctx.out.list(changes, changedRows.list);
  };
}
