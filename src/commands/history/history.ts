import { findRun, withJournal } from '../../features/bulk/index.ts';
import type { Context } from '../../runtime/context.ts';
import { runStateText } from '../../runtime/run-state-text.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { changeRow } from './change-target.ts';
import { changeRows } from './change.rows.ts';
import { undoesPart } from './undo-selection.ts';
import { runColumns, runRows } from './run.rows.ts';

export interface HistoryListOptions {
  readonly limit?: number;
}

export interface HistoryShowOptions {
  readonly run: string;
  readonly limit?: number;
}

export async function listRuns(ctx: Context, { limit }: HistoryListOptions): Promise<void> {
  await withJournal(ctx, (journal) => {
    const runs = journal.list({ limit }).map((run) => runRows.row({}, run));
    return ctx.out.list(runs, runRows.pick(runColumns));
  });
}

export async function showRun(ctx: Context, options: HistoryShowOptions): Promise<void> {
  const { limit } = options;
  await withJournal(ctx, async (journal) => {
    const run = findRun(journal, options.run);
    ctx.out.note(`${run.id}: ${run.title}, ${runStateText(runRows.row({}, run))}`);
    for (const undo of journal.undosOf(run.id))
      if (undo.state !== 'undone' && undoesPart(journal, undo.id))
        ctx.out.note(nextStep`A part of the run was undone: ${ucctl`history show ${undo.id}`}`);
    const changes = journal
      .items(run.id)
      .slice(0, limit)
      .map((item) => changeRow(run.kind, item));
    await ctx.out.list(changes, changeRows.list);
  });
}
