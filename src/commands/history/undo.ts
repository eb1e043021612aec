import {
  findRun,
  requireSameService,
  withRunJournal,
  type Journal,
  type RunSummary,
} from '../../features/bulk/index.ts';
import { counted } from '../../platform/counted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { nextStep, ucctl } from '../../errors/hint.ts';
import { changeRows } from './change.rows.ts';
import type { UndoPlan } from './undo-plan.ts';
import { undoPlans } from './undo-plans.ts';

export interface HistoryUndoOptions {
  readonly run: string;
  readonly force?: boolean;
  readonly maxItems: number;
}

/** Maximum number of changes in the preview; further changes are only counted. */
const maxShownChanges = 100;

export async function undoRun(ctx: Context, options: HistoryUndoOptions): Promise<void> {
  const api = await ctx.api();
  await withRunJournal(ctx, async (journal) => {
    const run = findRun(journal, options.run);
    requireSameService(ctx, run);
    requireUndoable(run);
    const plan = await undoPlans[run.kind]?.({ ctx, api, journal, run });
    if (!plan)
      throw usageError(
        `run ${run.id} (${run.kind}) cannot be undone`,
        nextStep`choose a run that changed queues, presence, people, hours or rules; to list the runs: ${ucctl('history list')}`,
      );
    requireNoOtherChanges(plan, options.force ?? false);
    if (plan.changes.length === 0) {
      ctx.out.note('Nothing to undo: no change of this run is still in effect.');
      return ctx.out.list([], changeRows.list);
    }
    requireNoProtectedRemoval(ctx, plan, run);
    await confirm(ctx, plan, run);
    const maxItems = plan.maxItems ?? options.maxItems;
    if (ctx.dryRun) return plan.dryRun(maxItems);
    await executeUndo(ctx, journal, run, plan, maxItems);
  });
}

function requireUndoable(run: RunSummary): void {
  if (run.state === 'undone')
    throw usageError(
      `run ${run.id} has already been undone`,
      nextStep`to list the runs: ${ucctl('history list')}`,
    );
  if (run.counts.sent > 0) {
    throw new CommandError('run_open', Exit.conflict, `run ${run.id} was interrupted during a request`, {
      hint: nextStep`resume the run with --resume ${run.id} before you undo it; to show the run: ${ucctl(`history show ${run.id}`)}`,
    });
  }
}

function requireNoOtherChanges({ changedSince }: UndoPlan, force: boolean): void {
  if (changedSince.length === 0 || force) return;
  throw new CommandError(
    'changed_since',
    Exit.conflict,
    'objects that this run changed have been changed again since then',
    {
      details: changedSince,
      hint: 'use --force to undo only the changes that are still in effect',
    },
  );
}

/** @throws {CommandError} `guarded` (exit 9) if the undo would remove a protected agent, even with `--force`. */
function requireNoProtectedRemoval(ctx: Context, { blocked }: UndoPlan, { id }: RunSummary): void {
  if (blocked.length === 0) return;
  const source = ctx.settings.protect?.source ?? 'protect';
  throw new CommandError('guarded', Exit.blocked, `undoing run ${id} would remove protected agents`, {
    details: blocked,
    hint: nextStep`if you want to remove these agents, change the protect setting (${source}) first: ${ucctl('config set protect AGENT,...')}; nothing was sent`,
  });
}

async function confirm(ctx: Context, plan: UndoPlan, run: RunSummary): Promise<void> {
  const { length } = plan.changes;
  const more = length - maxShownChanges;
  ctx.out.preview(
    [
      `Undo run ${run.id} (${run.title}):`,
      ...plan.changes.slice(0, maxShownChanges).map((change) => `  ${safe(change)}`),
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ].join('\n'),
  );
  if (ctx.dryRun || (await ctx.prompt.confirm(`Undo ${counted(length, 'change')}?`))) return;
  throw new CommandError('declined', Exit.blocked, 'not confirmed; nothing was changed');
}

async function executeUndo(
  ctx: Context,
  journal: Journal,
  run: RunSummary,
  plan: UndoPlan,
  maxItems: number,
): Promise<void> {
  await plan.execute({
    ctx,
    journal,
    maxItems,
    run: plan.journal(),
    options: { concurrency: 1 },
    label: 'undoing',
    resume: plan.resume,
    report: (items, again) => {
      if (items.every(({ status }) => status === 'ok')) journal.finish(run.id, 'undone');
      return ctx.out.list(
        items.map((item) => changeRows.row({}, item)),
        { ...changeRows.list, again },
      );
    },
  });
}
