import { findRun, withJournal } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { itemView, runView, toItemRow, toRunRow } from './run-view.ts';

export interface HistoryShowOptions {
  readonly run: string;
}

/** `history list` */
export async function listRuns(ctx: Context): Promise<void> {
  await withJournal(ctx, (journal) => ctx.out.list(journal.list().map(toRunRow), runView));
}

/** `history show RUN` */
export async function showRun(ctx: Context, options: HistoryShowOptions): Promise<void> {
  await withJournal(ctx, async (journal) => {
    const run = findRun(journal, options.run);
    ctx.out.note(`${run.id}: ${run.title}, ${run.state}`);
    await ctx.out.list(journal.items(run.id).map(toItemRow), itemView);
  });
}
