import { Journal, type RunSummary } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { notFoundError } from '../../runtime/errors.ts';
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

/** Opens the journal for a piece of work. */
export async function withJournal<T>(ctx: Context, work: (journal: Journal) => Promise<T>): Promise<T> {
  const journal = Journal.open(ctx.paths.state, () => ctx.now());
  try {
    return await work(journal);
  } finally {
    journal.close();
  }
}

/** @throws {CommandError} `not_found` */
export function findRun(journal: Journal, word: string): RunSummary {
  const run = journal.find(word);
  if (!run)
    throw notFoundError(`there is no run "${word}", or several begin so`, 'the runs: ucctl history list');
  return run;
}
