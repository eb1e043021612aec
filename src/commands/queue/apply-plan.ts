import type { Client } from '../../client/index.ts';
import {
  assignmentKind,
  assignmentWork,
  changeKey,
  countRequests,
  journalPlan,
  movedQueues,
  movesOf,
  titleOf,
  neededChanges,
  readMembershipTold,
  type ComputedPlan,
  type Guard,
  type Membership,
  type Moves,
  type Plan,
  type PlanLimits,
  assignmentSends,
  unchangedOf,
} from '../../features/assignment/index.ts';
import {
  announceTime,
  noteOpenRuns,
  runOrigin,
  serviceOf,
  withRunJournal,
  refusedText,
  withholdAll,
} from '../../features/bulk/index.ts';
import { openDirectory, type Directory } from '../../features/directory/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, type ExitCode } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { guardAdvice, restGuardText, savedGuardText } from './guard-text.ts';
import { noChangesText, planText, summaryOf } from './plan-text.ts';
import { reportIdle, resumeCommand, runAndReport } from './run-report.ts';
import type { WishOptions } from './wish-options.command.ts';

/** What is to be applied. */
export interface Application {
  /** Its members were read a moment ago: part of the next estimate. */
  readonly planned: Pick<ComputedPlan, 'plan' | 'before' | 'input' | 'untrimmed'>;
  /** Recorded with the run: each of them holds when it is resumed. */
  readonly limits: readonly PlanLimits[];
  readonly title: string;
  /** Checks the safety limits; called once the plan is shown. @throws {CommandError} `guarded` */
  readonly refuseGuarded: () => void;
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
  const { plan, before, input } = application.planned;
  const needed = neededChanges(plan);
  if (needed.length === 0) {
    await reportUnchanged(ctx, application, options);
    return Exit.ok;
  }
  ctx.out.preview(planText(plan, ctx.out));
  showRefused(ctx, application);
  application.refuseGuarded();
  announceTime(ctx, 'this', countRequests(plan, options.maxItems), { Light: before.size });
  await noteOpen(ctx, plan);
  const shownAt = ctx.now();
  await confirm(ctx, plan);
  if (ctx.dryRun) {
    await withholdAll(assignmentSends(api, needed, options.maxItems), plan.refused);
    return Exit.ok;
  }
  ctx.signal.throwIfAborted();
  await withRunJournal(ctx, async (journal) => {
    if (ctx.now() - shownAt > quickAnswer) await requireUnmoved(ctx, api, before);
    const { title, limits } = application;
    const baseUrl = serviceOf(ctx);
    const origin = runOrigin(ctx, options);
    const now = ctx.now();
    const run = journalPlan(journal, plan, { title, baseUrl, now, before, input, limits, origin });
    await runAndReport({ ctx, journal, run, work: assignmentWork(api), options });
  });
  return changedExit(options);
}

/** What a run ends with that changed something. */
export function changedExit({ detailedExitcode }: ApplyOptions): ExitCode {
  return detailedExitcode ? Exit.changesPresent : Exit.ok;
}

async function reportUnchanged(ctx: Context, application: Application, options: BulkOptions): Promise<void> {
  const { plan, input } = application.planned;
  showRefused(ctx, application);
  ctx.out.note(noChangesText);
  await noteOpen(ctx, plan);
  const { refused } = plan;
  await reportIdle(ctx, { input, unchanged: unchangedOf(plan), refused }, options);
}

function noteOpen(ctx: Context, { changes }: Plan): Promise<void> {
  return noteOpenRuns(ctx, { kind: assignmentKind, resume: resumeCommand, keyOf: changeKey }, changes);
}

function showRefused(ctx: Context, { planned: { plan, untrimmed } }: Application): void {
  if (plan.refused.length > 0) ctx.out.show(ctx.out.style('bad', refusedText(plan.refused)));
  for (const text of untrimmed) ctx.out.warn(text);
}

/** @throws {CommandError} `guarded` (exit 9) when a plan that was just made exceeds a safety limit. */
export function refuseGuarded(guards: readonly Guard[]): void {
  refuse(guards.map(guardAdvice), 'if this is intended, allow it with these options, or change the list');
}

/** The same for a saved plan; `ofPlan` are the guards of the limits that it was made with. */
export function refuseSavedGuarded(guards: readonly Guard[], ofPlan: readonly Guard[]): void {
  refuse(
    guards.map((guard) => savedGuardText(guard, ofPlan.includes(guard))),
    guards.some((guard) => ofPlan.includes(guard))
      ? nextStep`if this is intended, make the plan again with other limits: ${ucctl('queue plan --plan-out FILE')}`
      : 'if this is intended, apply the plan with other limits',
  );
}

/** The same for the rest of a run; `ofRun` are the guards of the limits that it was started with. */
export function refuseGuardedRest(guards: readonly Guard[], ofRun: readonly Guard[]): void {
  refuse(
    guards.map((guard) => restGuardText(guard, ofRun.includes(guard))),
    guards.some((guard) => ofRun.includes(guard))
      ? 'if this is intended, run the command with the list again, with other limits'
      : nextStep`if this is intended, resume the run with other limits; for a protected agent: ${ucctl('config get protect')}`,
    'the rest of the run exceeds a safety limit',
  );
}

function refuse(details: readonly string[], next: Hint, message = 'the plan exceeds a safety limit'): void {
  if (details.length === 0) return;
  throw new CommandError('guarded', Exit.refused, message, {
    details,
    hint: nextStep`${next}; nothing was sent`,
  });
}

async function confirm(ctx: Context, plan: Plan): Promise<void> {
  if (ctx.dryRun) return;
  const { length } = plan.refused;
  const skipped = length === 0 ? '' : `; ${counted(length, 'row')} ${isOrAre(length)} skipped`;
  if (await ctx.prompt.confirm(`${summaryOf(plan)}${skipped}. Apply?`)) return;
  throw new CommandError('declined', Exit.refused, 'not confirmed; nothing was changed');
}

/** Reads the present members. @throws {CommandError} `stale_plan` (exit 11) when they are no longer as the plan saw them. */
export async function requireUnmoved(ctx: Context, api: Client, before: Membership): Promise<Membership> {
  const now = await readMembershipTold(ctx, api, before.keys());
  const moved = movedQueues(before, now);
  if (moved.length === 0) return now;
  const directory = openDirectory(api, ctx.signal);
  throw new CommandError('stale_plan', Exit.conflict, 'the members have changed since the plan was made', {
    details: await Promise.all(moved.map((id) => movesText(directory, id, movesOf(id, before, now)))),
    hint: 'make the plan again; nothing was sent',
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
