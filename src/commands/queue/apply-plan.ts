import type { Client } from '../../client/index.ts';
import {
  assignmentWork,
  countRequests,
  journalPlan,
  movedQueues,
  movesOf,
  titleOf,
  neededChanges,
  readMembershipTold,
  type Membership,
  type Moves,
  type Plan,
  assignmentSends,
  unchangedOf,
} from '../../features/assignment/index.ts';
import {
  announceTime,
  serviceOf,
  withRunJournal,
  type RunInput,
  refusedText,
  withholdAll,
} from '../../features/bulk/index.ts';
import { openDirectory, type Directory } from '../../features/directory/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, type ExitCode } from '../../runtime/errors.ts';
import { planText, summaryOf } from './plan-text.ts';
import { reportIdle, runAndReport } from './run-report.ts';
import type { WishOptions } from './wish-options.command.ts';

/** What is to be applied. */
export interface Application {
  readonly plan: Plan;
  /** Members as the plan saw them. */
  readonly before: Membership;
  readonly input: RunInput;
  readonly guards: readonly string[];
  /** Why nobody is removed from queues of a wanted state. */
  readonly untrimmed: readonly string[];
  readonly title: string;
  /** Members were read this often a moment ago. */
  readonly reads: number;
}

export type ApplyOptions = BulkOptions & Pick<WishOptions, 'detailedExitcode'>;

/** A question that was answered this fast leaves no time for others to change anything. */
const quickAnswer = 2000;

/** Shows the plan, asks, journals, sends, reads back, reports. */
export async function applyPlan(
  ctx: Context,
  api: Client,
  application: Application,
  options: ApplyOptions,
): Promise<ExitCode> {
  const { plan, guards } = application;
  const needed = neededChanges(plan);
  if (needed.length === 0) {
    await reportUnchanged(ctx, application, options);
    return Exit.ok;
  }
  ctx.out.preview(planText(plan, ctx.out));
  showRefused(ctx, application);
  refuseGuarded(guards);
  announceTime(ctx, 'this', countRequests(plan, options.maxItems), { Light: application.reads });
  const shownAt = ctx.now();
  await confirm(ctx, plan);
  if (ctx.dryRun) {
    await withholdAll(assignmentSends(api, needed, options.maxItems), plan.refused);
    return Exit.ok;
  }
  ctx.signal.throwIfAborted();
  await withRunJournal(ctx, async (journal) => {
    if (ctx.now() - shownAt > quickAnswer) await requireUnmoved(ctx, api, application.before);
    const { title, before, input } = application;
    const baseUrl = serviceOf(ctx);
    const run = journalPlan(journal, plan, { title, baseUrl, now: ctx.now(), before, input });
    await runAndReport({ ctx, journal, run, work: assignmentWork(api), options });
  });
  return changedExit(options);
}

/** What a run ends with that changed something. */
export function changedExit({ detailedExitcode }: ApplyOptions): ExitCode {
  return detailedExitcode ? Exit.changesPresent : Exit.ok;
}

async function reportUnchanged(ctx: Context, application: Application, options: BulkOptions): Promise<void> {
  const { plan, input } = application;
  showRefused(ctx, application);
  ctx.out.note('nothing to change: it is so already');
  const { refused } = plan;
  await reportIdle(ctx, { input, unchanged: unchangedOf(plan), refused }, options);
}

function showRefused(ctx: Context, { plan, untrimmed }: Application): void {
  if (plan.refused.length > 0) ctx.out.show(ctx.out.style('bad', refusedText(plan.refused)));
  for (const text of untrimmed) ctx.out.warn(text);
}

function refuseGuarded(guards: readonly string[]): void {
  if (guards.length === 0) return;
  throw new CommandError('guarded', Exit.refused, 'the plan does what it must not do unless it is told to', {
    details: guards,
    hint: 'allow it with these flags if it is meant, or change the list; nothing was sent',
  });
}

async function confirm(ctx: Context, plan: Plan): Promise<void> {
  if (ctx.dryRun) return;
  const { length } = plan.refused;
  const leftOut = length === 0 ? '' : `; ${counted(length, 'row')} ${isOrAre(length)} left out`;
  if (await ctx.prompt.confirm(`${summaryOf(plan)}${leftOut}. Apply?`)) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was changed');
}

/** @throws {CommandError} `stale_plan` (exit 11) when members are no longer as the plan saw them. */
export async function requireUnmoved(ctx: Context, api: Client, before: Membership): Promise<void> {
  const now = await readMembershipTold(ctx, api, before.keys());
  const moved = movedQueues(before, now);
  if (moved.length === 0) return;
  const directory = openDirectory(api, ctx.signal);
  throw new CommandError('stale_plan', Exit.conflict, 'the members have changed since the plan was made', {
    details: await Promise.all(moved.map((id) => movesText(directory, id, movesOf(id, before, now)))),
    hint: 'plan again; nothing was sent',
  });
}

/** More names than this are counted. */
const namedMoves = 5;

/** `Support (201): Ann Lee (101) joined, Bo Ek (102) left` */
async function movesText(directory: Directory, queueId: string, { joined, left }: Moves): Promise<string> {
  const name = async (id: string): Promise<string> => {
    const extension = await directory.byId(id);
    return extension ? titleOf(extension) : `extension ${id}`;
  };
  const side = async (ids: readonly string[], word: string): Promise<readonly string[]> => {
    if (ids.length === 0) return [];
    const names = await Promise.all(ids.slice(0, namedMoves).map(name));
    const more = ids.length > namedMoves ? ` and ${ids.length - namedMoves} more` : '';
    return [`${names.join(', ')}${more} ${word}`];
  };
  const parts = [...(await side(joined, 'joined')), ...(await side(left, 'left'))];
  return `${await name(queueId)}: ${parts.join('; ')}`;
}
