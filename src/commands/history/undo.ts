import {
  executeRun,
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
import { itemView, toItemRow } from './run-view.ts';
import { undoPlans, type UndoPlan } from './undo-plans.ts';

export interface HistoryUndoOptions {
  readonly run: string;
  readonly force?: boolean;
  readonly maxItems: number;
}

/** More than these are counted: nobody reads a thousand lines before a question. */
const namedChanges = 100;

/** `history undo RUN` */
export async function undoRun(ctx: Context, options: HistoryUndoOptions): Promise<void> {
  const api = await ctx.api();
  await withRunJournal(ctx, async (journal) => {
    const run = findRun(journal, options.run);
    requireSameService(ctx, run);
    requireUndoable(run);
    const plan = await undoPlans[run.kind]?.({ ctx, api, journal, run });
    if (!plan) throw usageError(`runs of the kind ${run.kind} cannot be taken back`);
    refuseMoved(plan, options.force ?? false);
    if (plan.changes.length === 0) {
      ctx.out.note('nothing to take back: nothing of this run stands any more');
      return ctx.out.list([], itemView);
    }
    refuseProtected(ctx, plan, run);
    await confirm(ctx, plan, run);
    const maxItems = plan.maxItems ?? options.maxItems;
    if (ctx.dryRun) return plan.withhold(maxItems);
    await takeBack(ctx, journal, run, plan, maxItems);
  });
}

function requireUndoable(run: RunSummary): void {
  if (run.state === 'undone') throw usageError(`the run ${run.id} is taken back already`);
  if (run.counts.sent > 0) {
    throw new CommandError(
      'run_open',
      Exit.conflict,
      `the run ${run.id} broke off in the middle of a request`,
      {
        hint: `resume it first: --resume ${run.id}`,
      },
    );
  }
}

function refuseMoved({ moved }: UndoPlan, force: boolean): void {
  if (moved.length === 0 || force) return;
  throw new CommandError(
    'moved',
    Exit.conflict,
    'things have changed since the run; taking it back would not restore them',
    {
      details: moved,
      hint: '--force takes back what still stands of the run',
    },
  );
}

/** @throws {CommandError} `guarded` (exit 9) when the undo would remove a protected agent, whatever `--force` says. */
function refuseProtected(ctx: Context, { blocked }: UndoPlan, { id }: RunSummary): void {
  if (blocked.length === 0) return;
  const source = ctx.settings.protect?.source ?? 'protect';
  throw new CommandError('guarded', Exit.refused, `undoing the run ${id} would remove protected agents`, {
    details: blocked,
    hint: nextStep`if this is intended, remove them from the setting protect (${source}) first: ${ucctl('config set protect AGENT,...')}; nothing was sent`,
  });
}

async function confirm(ctx: Context, plan: UndoPlan, run: RunSummary): Promise<void> {
  const { length } = plan.changes;
  const more = length - namedChanges;
  ctx.out.preview(
    [
      `${run.id}: ${run.title}`,
      ...plan.changes.slice(0, namedChanges).map((change) => `  ${safe(change)}`),
      ...(more > 0 ? [`  … and ${more} more`] : []),
    ].join('\n'),
  );
  if (ctx.dryRun || (await ctx.prompt.confirm(`Take back ${counted(length, 'change')}?`))) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was changed');
}

async function takeBack(
  ctx: Context,
  journal: Journal,
  run: RunSummary,
  plan: UndoPlan,
  maxItems: number,
): Promise<void> {
  await executeRun({
    ctx,
    journal,
    maxItems,
    run: plan.journal(),
    work: plan.work,
    options: { concurrency: 1 },
    label: 'taking back',
    resume: plan.resume,
    report: (items) => {
      if (items.every(({ status }) => status === 'ok')) journal.finish(run.id, 'undone');
      return ctx.out.list(items.map(toItemRow), itemView);
    },
  });
}
