import { Exit, type ExitCode } from '../../errors/command.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import {
  announceTime,
  itemResult,
  unsentResult,
  type ResultRows,
  type RunInput,
  executeRun,
  reportEmptyRun,
  isQuickAnswer,
  noteOpenRuns,
  readDetail,
  resumeRun,
  sendDryRun,
  withRunJournal,
  type Journal,
  type JournalItem,
  type RunOptions,
} from '../bulk/index.ts';
import type { ResourceChange, ResourceKind, ResourcePlan } from './change.ts';
import { requireDialectOfRun } from './dialect.ts';
import { requireSameResources } from './drift.ts';
import { guardResources, requireWithinResourceLimits, sizeOf, type ResourceLimits } from './limits.ts';
import { resourceRows, resourceRowsOf } from './resource.rows.ts';
import {
  countResourceRequests,
  journalResources,
  noRows,
  resourceSends,
  resourceWork,
  type ResourceRunDetail,
} from './run.ts';
import { isBriefPlan, resourcePlanText, resourceSummary } from './text.ts';
import type { CommandText, Hint } from '../../errors/hint.ts';
import { changeStatusOf } from '../../runtime/change-status.ts';

/** A plan to apply. */
export interface ResourceApplication {
  readonly plan: ResourcePlan;
  readonly limits: readonly ResourceLimits[];
  readonly title: string;
  /** Number of resources in the file, if the plan does not contain all of them. */
  readonly total?: number;
  /** The rows of the list, if the file is a table. */
  readonly input?: RunInput;
  /** Whether the current settings were read some time ago, as for a saved plan. */
  readonly isSaved?: boolean;
  /** Names the command that lists the values, if the text of the plan omits them. */
  readonly values?: Hint | undefined;
}

export interface ResourceApplyOptions extends RunOptions {
  readonly detailedExitcode?: boolean;
}

/** Shows a plan, asks for confirmation, runs it with a journal, and reports the result. */
export async function applyResources(
  ctx: Context,
  kind: ResourceKind,
  application: ResourceApplication,
  options: ResourceApplyOptions,
): Promise<ExitCode> {
  const { plan, limits } = application;
  const { changes } = plan;
  if (changes.length === 0) {
    await reportUnchanged(ctx, kind, application, options);
    return Exit.ok;
  }
  ctx.out.preview(resourcePlanText(plan, kind, ctx.out));
  if (application.values !== undefined && isBriefPlan(plan)) ctx.out.note(application.values);
  const total = application.total ?? sizeOf(plan);
  for (const limit of limits) {
    requireWithinResourceLimits(guardResources(changes, total, limit), kind.noun);
  }
  announceResources(ctx, kind, changes);
  await noteOpenResources(ctx, kind, changes);
  const shownAt = ctx.now();
  if (ctx.dryRun) {
    await sendDryRun(resourceSends(kind, changes));
    return Exit.ok;
  }
  await requireConfirmation(ctx, `${resourceSummary(changes, kind.noun)}. Apply?`, 'nothing was changed');
  await withRunJournal(ctx, async (journal) => {
    const isOld = application.isSaved === true || !isQuickAnswer(shownAt, ctx.now());
    if (isOld) await requireSameResources(ctx, kind, changes);
    const unchanged = plan.unchanged.length;
    const { results } = options;
    const { input } = application;
    const run = journalResources(ctx, journal, kind, changes, {
      title: application.title,
      unchanged,
      limits,
      results,
      input,
    });
    await runResources({ ctx, kind, journal, run, options });
  });
  return options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}

/** Reports a file whose settings are all up to date. */
async function reportUnchanged(
  ctx: Context,
  { noun }: ResourceKind,
  { plan, input = noRows(noun) }: ResourceApplication,
  { results }: ResourceApplyOptions,
): Promise<void> {
  ctx.out.note('No changes: everything is already up to date.');
  await reportEmptyRun(ctx, {
    results: ctx.dryRun ? undefined : results,
    input,
    skipped: [],
    unchanged: plan.unchanged.length,
    rows: resultRows(input),
    report: () => ctx.out.list([], { ...resourceRows.list, empty: '' }),
  });
}

/** Shows how long changes take at the rate limits, if that is a minute or more. */
function announceResources(
  ctx: Pick<Context, 'out'>,
  kind: ResourceKind,
  changes: readonly ResourceChange[],
): void {
  announceTime(ctx, 'this', countResourceRequests(kind, changes));
}

/** Prints a note for each open run that changes some of the same resources. */
export function noteOpenResources(
  ctx: Context,
  { run: kind, resume }: ResourceKind,
  changes: readonly ResourceChange[],
): Promise<void> {
  return noteOpenRuns<ResourceChange>(ctx, { kind, resume, keyOf: ({ key }) => key }, changes);
}

/** A run of the journal, with the data for its execution. */
export interface ResourceRun {
  readonly ctx: Context;
  readonly kind: ResourceKind;
  readonly journal: Journal;
  readonly run: string;
  readonly options: RunOptions;
  /** Reports the result; by default as a list with a row for each setting. */
  readonly report?: (items: readonly JournalItem<ResourceChange>[], again: CommandText) => Promise<void>;
}

/**
 * Executes a run to its end and reports every setting. Returns the IDs of the created resources by key.
 * @throws the error of a run that did not make all changes.
 */
export async function runResources({
  ctx,
  kind,
  journal,
  run,
  options,
  report,
}: ResourceRun): Promise<ReadonlyMap<string, string>> {
  const { unchanged, input } = readDetail(journal, run) as ResourceRunDetail;
  const created = new Map<string, string>();
  await executeRun<ResourceChange>({
    ctx,
    journal,
    run,
    work: resourceWork(kind, created),
    options,
    maxItems: kind.maxItems,
    label: kind.label,
    resume: kind.resume,
    canUndo: true,
    unchanged,
    rows: resultRows(input),
    async report(journalled, again) {
      const items = await withCreatedIds(kind, journalled, created);
      if (report) return report(items, again);
      const changes = items.map((item) => ({ change: item.payload, status: changeStatusOf(item) }));
      await ctx.out.list(resourceRowsOf(changes), { ...resourceRows.list, again });
    },
  });
  return created;
}

/**
 * Returns the items of a run with the IDs of the created resources. Reads the IDs of resources that an earlier process of
 * the run created.
 */
async function withCreatedIds(
  kind: ResourceKind,
  items: readonly JournalItem<ResourceChange>[],
  created: Map<string, string>,
): Promise<readonly JournalItem<ResourceChange>[]> {
  const unread = items
    .filter(
      ({ status, payload: { action, key } }) => action === 'create' && status === 'ok' && !created.has(key),
    )
    .map(({ payload }) => payload);
  if (unread.length > 0) for (const [key, { id }] of await kind.read(unread, undefined)) created.set(key, id);
  return items.map((item) => {
    const id = item.payload.action === 'create' ? created.get(item.payload.key) : undefined;
    return id === undefined ? item : { ...item, payload: { ...item.payload, id } };
  });
}

/** The results of the rows of a table, or of the changes of a run without a table. Rows without a change are already up to date. */
function resultRows({ rows: listed }: RunInput): ResultRows<ResourceChange> {
  return {
    *outcomes(items) {
      for (const item of items) {
        const { action, title, after, rows = [] } = item.payload;
        const status = changeStatusOf(item);
        const shown = action === 'create' ? 'created' : 'changed';
        yield {
          rows: listed.length === 0 ? [] : rows,
          cells: [title, Object.keys(after).join(', ')],
          result: itemResult(item, status === 'ok' ? shown : status, action),
        };
      }
    },
    rest: () => unsentResult('unchanged', 'update'),
  };
}

/** The safety limits of the command that resumes a run, and its report. */
export interface ResumeLimits {
  /** Called before the first request. @throws {CommandError} if the resources cannot be changed. */
  requireWritable?(): Promise<void>;
  limits(): Promise<ResourceLimits>;
  /** Number of resources to which a percentage refers; by default those of the run. */
  total?(): Promise<number>;
  /** Reports the result; by default as a list with a row for each setting. */
  readonly report?: ResourceRun['report'];
  /** See `Resumption`. */
  readonly isFollowed?: boolean;
}

/**
 * Resumes a run. The remaining changes were within the limits of the run when it was started; they must also be within
 * those of this command.
 * @throws {CommandError} `guarded` (exit 9) when they exceed a limit, `stale_plan` (exit 11) when somebody else has
 * changed the settings since.
 */
export async function resumeResources(
  ctx: Context,
  kind: ResourceKind,
  word: string,
  options: ResourceApplyOptions,
  own: ResumeLimits,
): Promise<ExitCode> {
  const left = await resumeRun<ResourceChange>(ctx, word, {
    kind: kind.run,
    what: kind.what,
    isFollowed: own.isFollowed,
    async check(items, { id, detail, items: all }) {
      requireDialectOfRun(ctx, kind, id);
      await own.requireWritable?.();
      const changes = items.map(({ payload }) => payload);
      const ofRun = all.length + (detail as ResourceRunDetail).unchanged;
      const guards = guardResources(changes, (await own.total?.()) ?? ofRun, await own.limits());
      requireWithinResourceLimits(guards, kind.noun);
      await requireSameResources(ctx, kind, changes, 'either');
    },
    sends: (items) =>
      resourceSends(
        kind,
        items.map(({ payload }) => payload),
      ),
    async execute(journal, run) {
      await runResources({ ctx, kind, journal, run, options, ...(own.report && { report: own.report }) });
    },
  });
  return left > 0 && options.detailedExitcode ? Exit.changesPresent : Exit.ok;
}
