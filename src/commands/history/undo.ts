import {
  findRun,
  isQuickAnswer,
  readBefore,
  requireSameService,
  sendDryRun,
  withStepsOfRun,
  type Journal,
  type RunDetail,
  type RunSummary,
} from '../../features/bulk/index.ts';
import { counted } from '../../platform/counted.ts';
import { safe } from '../../platform/terminal-text.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { nextStep, ucctl, type CommandText, type Hint } from '../../errors/hint.ts';
import { changeRow } from './change-target.ts';
import { changeRows } from './change.rows.ts';
import type { UndoParts, UndoPlan } from './undo-plan.ts';
import { undoPlans } from './undo-plans.ts';
import {
  isSelective,
  readSelection,
  requireSelected,
  selectChanges,
  undoCommand,
  undoesPart,
} from './undo-selection.ts';

export interface HistoryUndoOptions {
  readonly run: string;
  readonly force?: boolean;
  readonly extension?: readonly string[];
  readonly queue?: readonly string[];
  readonly maxItems: number;
}

/** Maximum number of changes in the preview; further changes are only counted. */
const maxShownChanges = 100;

/** A run with the plan of its undo. */
interface Undo {
  readonly run: RunSummary;
  readonly plan: UndoPlan;
  /** Whether the undo skips changes of the run. */
  readonly isPart: boolean;
}

/** `history undo`: undoes a run; `last` undoes all runs of the last apply, the newest first. */
export async function undoRun(ctx: Context, options: HistoryUndoOptions): Promise<void> {
  const api = await ctx.api();
  const selection = await readSelection(ctx, api, options);
  await withStepsOfRun(ctx, async (journal, locked) => {
    const { runs, others } = runsToUndo(journal, options.run);
    requireSelected(journal, runs, selection);
    const plansOf = async (): Promise<readonly Undo[]> => {
      const planned: Undo[] = [];
      for (const { id } of runs) {
        // Another process may have undone the run during the confirmation.
        const run = findRun(journal, id);
        const selected = selectChanges(journal, run, selection);
        const plan = await planUndo({ ctx, api, journal, run, selected }, options);
        planned.push({ run, plan, isPart: selected.isPart });
      }
      return planned;
    };
    const undos = await readBefore(ctx, () => locked(plansOf));
    for (const unrestored of undos.flatMap(({ plan }) => plan.unrestored ?? []))
      ctx.out.warn(`${unrestored} keeps its value, because the service cannot remove this setting`);
    const needed = undos.filter(({ plan }) => plan.changes.length > 0);
    if (needed.length === 0) {
      const which = isSelective(selection) ? 'selected change' : 'change';
      ctx.out.note(`Nothing to undo: no ${which} of this run is still in effect.`);
      return ctx.out.list([], changeRows.list);
    }
    for (const { plan, run } of needed) requireNoProtectedChange(ctx, plan, run);
    const shownAt = ctx.now();
    await confirm(ctx, needed);
    const itemsOf = (plan: UndoPlan): number => plan.maxItems ?? options.maxItems;
    if (ctx.dryRun) return sendDryRun(needed.flatMap(({ plan }) => plan.sends(itemsOf(plan))));
    ctx.signal.throwIfAborted();
    await locked(async (isUnchanged) => {
      const isCurrent = isUnchanged && isQuickAnswer(shownAt, ctx.now());
      if (!isCurrent) requireSameChanges(undos, await readBefore(ctx, plansOf));
      await executeUndos({ ctx, journal, undos: needed, itemsOf, options });
    });
    for (const { id, title } of others)
      ctx.out.note(
        nextStep`run ${id} (${title}) was made by the same apply command; to undo it: ${undoCommand(id, options)}`,
      );
  });
}

/**
 * Returns the runs to undo, newest first: for `last` all runs of the same apply, otherwise only the run.
 * @returns also the other runs of the same apply that are not undone
 */
function runsToUndo(
  journal: Journal,
  word: string,
): { readonly runs: readonly RunSummary[]; readonly others: readonly RunSummary[] } {
  const run = findRun(journal, word);
  if (word === 'last') requireNoUndo(journal, run);
  const { partOf } = journal.detail(run.id) as RunDetail;
  const first = partOf ?? run.id;
  const group = [...journal.partsOf(first), ...journal.matching(first)];
  const others = group.filter(({ id, state }) => id !== run.id && state !== 'undone');
  return word === 'last' ? { runs: [run, ...others], others: [] } : { runs: [run], others };
}

/**
 * Rejects `last` if the newest run is an undo: a script that runs the same command twice would undo the undo.
 * @throws {CommandError} `run_open` or `run_undone` (exit 11)
 */
function requireNoUndo(journal: Journal, { id, state }: RunSummary): void {
  const { undoes } = journal.detail(id) as RunDetail;
  if (undoes === undefined || state === 'abandoned') return;
  const [undone] = journal.matching(undoes);
  const isPart = undoesPart(journal, id);
  const isFinished = state !== 'open' && (isPart || undone === undefined || undone.state === 'undone');
  if (isFinished && isPart)
    throw new CommandError(
      'run_undone',
      Exit.conflict,
      `the last run, ${id}, is already an undo of a part of run ${undoes}`,
      {
        hint: nextStep`to undo more of run ${undoes}, use its ID: ${ucctl`history undo ${undoes}`}; to make the undone changes again: ${ucctl`history undo ${id}`}`,
      },
    );
  if (isFinished)
    throw new CommandError(
      'run_undone',
      Exit.conflict,
      `the last run, ${id}, is already an undo of run ${undoes}`,
      {
        hint: nextStep`to make the changes of run ${undoes} again, undo the undo: ${ucctl`history undo ${id}`}; to undo an older run, use its ID: ${ucctl('history list')}`,
      },
    );
  throw new CommandError(
    'run_open',
    Exit.conflict,
    `the last run, ${id}, is an undo of run ${undoes} that did not finish`,
    {
      hint: nextStep`undo the remaining changes of run ${undoes}: ${ucctl`history undo ${undoes} --force`}; to undo the undo instead: ${ucctl`history undo ${id}`}`,
    },
  );
}

async function planUndo(parts: UndoParts, { force = false }: HistoryUndoOptions): Promise<UndoPlan> {
  const { ctx, run } = parts;
  requireSameService(ctx, run);
  requireUndoable(run);
  const plan = await undoPlans[run.kind]?.(parts);
  if (!plan)
    throw usageError(
      `cannot undo run ${run.id} (${run.kind})`,
      nextStep`choose a run that changed queues, presence, people, hours or rules; to list the runs: ${ucctl('history list')}`,
    );
  requireNoOtherChanges(plan, force);
  return plan;
}

function requireUndoable(run: RunSummary): void {
  if (run.state === 'undone')
    throw new CommandError('run_undone', Exit.conflict, `run ${run.id} has already been undone`, {
      hint: nextStep`to list the runs: ${ucctl('history list')}`,
    });
  if (run.counts.sent > 0) {
    throw new CommandError('run_open', Exit.conflict, `run ${run.id} was interrupted during a request`, {
      hint: nextStep`resume the run with --resume ${run.id} before you undo it; to show the run: ${ucctl`history show ${run.id}`}`,
    });
  }
}

function requireNoOtherChanges({ changedSince }: UndoPlan, force: boolean): void {
  if (changedSince.length === 0 || force) return;
  throw new CommandError(
    'changed_since',
    Exit.conflict,
    'somebody has changed the same objects since this run',
    {
      details: changedSince,
      hint: 'use --force to undo only the changes that are still in effect',
    },
  );
}

/** @throws {CommandError} `changed_since` (exit 11) if the undo no longer consists of the confirmed changes. */
function requireSameChanges(confirmed: readonly Undo[], present: readonly Undo[]): void {
  const changesOf = (undos: readonly Undo[]): Set<string> =>
    new Set(
      undos.flatMap(({ run, plan: { changes } }) => changes.map((change) => `run ${run.id}: ${change}`)),
    );
  const [before, now] = [changesOf(confirmed), changesOf(present)];
  const details = [
    ...[...before].filter((change) => !now.has(change)).map((change) => `no longer necessary: ${change}`),
    ...[...now].filter((change) => !before.has(change)).map((change) => `not confirmed: ${change}`),
  ];
  if (details.length === 0) return;
  throw new CommandError(
    'changed_since',
    Exit.conflict,
    'somebody has changed the same objects while ucctl waited for the confirmation',
    { details, hint: 'nothing was sent; run the command again' },
  );
}

/** @throws {CommandError} `guarded` (exit 9) if the undo would change a protected entry, even with `--force`. */
function requireNoProtectedChange(ctx: Context, { blocked }: UndoPlan, { id }: RunSummary): void {
  if (blocked.length === 0) return;
  const source = ctx.settings.protect.source;
  throw new CommandError('guarded', Exit.blocked, `undoing run ${id} would change protected entries`, {
    details: blocked,
    hint: nextStep`if you want to make these changes, change the protect setting (${source}) first: ${ucctl('config set protect AGENT,...')}; nothing was sent`,
  });
}

async function confirm(ctx: Context, undos: readonly Undo[]): Promise<void> {
  ctx.out.preview(undos.map(previewOf).join('\n'));
  const length = undos.reduce((sum, { plan }) => sum + plan.changes.length, 0);
  const of = undos.length === 1 ? safe(undos[0]?.run.title ?? '') : counted(undos.length, 'run');
  await requireConfirmation(ctx, `Undo ${counted(length, 'change')} of ${of}?`, 'nothing was changed');
}

function previewOf({ run, plan: { changes }, isPart }: Undo): string {
  const more = changes.length - maxShownChanges;
  return [
    `Undo ${isPart ? 'a part of ' : ''}run ${run.id} (${run.title}):`,
    ...changes.slice(0, maxShownChanges).map((change) => `  ${safe(change)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n');
}

interface Execution {
  readonly ctx: Context;
  readonly journal: Journal;
  readonly undos: readonly Undo[];
  readonly itemsOf: (plan: UndoPlan) => number;
  readonly options: HistoryUndoOptions;
}

/** Executes the undos one after the other. An undo that fails ends the command. */
async function executeUndos({ ctx, journal, undos, itemsOf, options }: Execution): Promise<void> {
  const rows: ReturnType<typeof changeRow>[] = [];
  let first: string | undefined;
  for (const [index, { run, plan, isPart }] of undos.entries()) {
    const undoing = plan.journal(first);
    first ??= undoing;
    let shown = false;
    const left = undos.slice(index + 1).map((undo) => undo.run);
    try {
      await plan.execute({
        ctx,
        journal,
        maxItems: itemsOf(plan),
        run: undoing,
        options: { concurrency: 1 },
        label: 'undoing',
        resume: plan.resume,
        ...(isPart && { again: againText(undoCommand(run.id, options)) }),
        report(items, again) {
          const isUndone = items.every(({ status }) => status === 'ok');
          rows.push(...items.map((item) => changeRow(run.kind, item)));
          shown = !isUndone || left.length === 0;
          return shown ? ctx.out.list(rows, { ...changeRows.list, again }) : Promise.resolve();
        },
      });
    } catch (error) {
      const isWithoutEffect = closeIfWithoutEffect(ctx, journal, undoing);
      if (!shown && rows.length > 0) await ctx.out.list(rows, changeRows.list);
      // Without any effect, the same command undoes all runs. After an earlier undo of this command, it rejects that one.
      const notUndone = isWithoutEffect ? [run, ...left] : left;
      const isRepeatable = isWithoutEffect && index === 0;
      for (const { id, title } of isRepeatable ? [] : notUndone)
        ctx.out.note(nextStep`run ${id} (${title}) was not undone; to undo it: ${undoCommand(id, options)}`);
      throw error;
    }
  }
}

/** The next step after an undo of a part of a run that failed. */
function againText(command: CommandText): Hint {
  return nextStep`correct the cause, then undo the remaining changes: ${ucctl`${command} --force`}`;
}

/**
 * An undo that changed nothing must not be the last run, which the next `history undo last` would select. Returns whether
 * the undo was such an undo.
 */
function closeIfWithoutEffect({ signal }: Context, journal: Journal, run: string): boolean {
  if (signal.aborted) return false;
  const statuses = new Set(journal.items(run).map(({ status }) => status));
  const isWithoutEffect = statuses.size === 1 && (statuses.has('planned') || statuses.has('failed'));
  if (isWithoutEffect) journal.finish(run, 'abandoned');
  return isWithoutEffect;
}
