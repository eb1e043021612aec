import type { Client } from '../../client/index.ts';
import {
  assignmentKind,
  assignmentWork,
  changeKey,
  countRequests,
  journalPlan,
  changedQueues,
  memberChangesOf,
  neededChanges,
  readMembershipWithProgress,
  toPlanDocument,
  type ComputedPlan,
  type Guard,
  type Membership,
  type MemberChanges,
  type Plan,
  type PlanLimits,
  type PlannedChange,
  assignmentSends,
  unchangedOf,
} from '../../features/assignment/index.ts';
import {
  addCounts,
  announceTime,
  isQuickAnswer,
  noteOpenRuns,
  runOrigin,
  serviceOf,
  withRunJournal,
  skippedText,
  sendDryRun,
  type Journal,
} from '../../features/bulk/index.ts';
import { queueSettings } from '../../features/queue-settings/index.ts';
import {
  countResourceRequests,
  noteOpenResources,
  resourceDrift,
  resourcePlanText,
  resourceSends,
  type ResourceChange,
  whoChanged,
} from '../../features/resource-plan/index.ts';
import { openDirectory, type Directory } from '../../features/directory/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import type { Context } from '../../runtime/context.ts';
import { CommandError, Exit, type ExitCode } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { guardAdvice, remainingGuardText, savedGuardText } from './guard-text.ts';
import { noteNames, type ListOptions } from './list-names.ts';
import { noChangesText, planText, summaryOfBoth } from './plan-text.ts';
import { reportEmpty, resumeCommand, runAndReport } from './run-report.ts';
import type { PlanOptions } from './plan-options.command.ts';
import { isServiceId, noSettings, presentReads, type SettingsPlan } from './settings.ts';
import { runSettings, withCreatedIds, withSettingRows, type MembersToFollow } from './settings-run.ts';
import { titleOf } from '../../runtime/with-number.ts';

/** A plan to apply. */
export interface Application {
  /** Whether the members of the plan have just been read. These requests count in the next time estimate. */
  readonly planned: Pick<ComputedPlan, 'plan' | 'before' | 'input' | 'removalsSkipped'>;
  /** The safety limits of the run. They are recorded and also apply when the run is resumed. */
  readonly limits: readonly PlanLimits[];
  readonly title: string;
  /** Checks the safety limits after the plan has been shown. @throws {CommandError} `guarded` */
  readonly requireWithinLimits: () => void;
  /** Settings of queues in the same file. */
  readonly settings?: SettingsPlan;
  /** The options of the list that the plan was made from. */
  readonly list?: ListOptions;
  /** Whether the plan was read from a file. */
  readonly isSaved?: boolean;
}

export type ApplyOptions = BulkOptions & Pick<PlanOptions, 'detailedExitcode'>;

/** Shows the plan, asks for confirmation, runs it with a journal, and reports the result. */
export async function applyPlan(
  ctx: Context,
  api: Client,
  application: Application,
  options: ApplyOptions,
): Promise<ExitCode> {
  const { planned, settings = noSettings } = application;
  const { plan, before } = planned;
  const needed = neededChanges(plan);
  const { changes } = settings.plan;
  if (needed.length + changes.length === 0) {
    await reportUnchanged(ctx, application, options);
    return Exit.ok;
  }
  const kind = queueSettings(ctx, api);
  const texts = [resourcePlanText(settings.plan, kind, ctx.out), planText(plan, ctx.out)];
  ctx.out.preview(texts.filter((text) => text !== '').join('\n'));
  if (application.list) noteNames(ctx, plan, application.list);
  showSkipped(ctx, application);
  application.requireWithinLimits();
  const counts = addCounts(countResourceRequests(kind, changes), countRequests(api, plan, options.maxItems));
  announceTime(ctx, 'this', counts, { Light: presentReads(before, settings) });
  await noteOpen(ctx, plan);
  await noteOpenResources(ctx, kind, changes);
  const shownAt = ctx.now();
  await confirm(ctx, plan, settings);
  if (ctx.dryRun) {
    const members = assignmentSends(api, knownQueues(needed), options.maxItems);
    await sendDryRun([...resourceSends(kind, changes), ...members], plan.skipped);
    return Exit.ok;
  }
  await withRunJournal(ctx, async (journal) => {
    const isOld = !isQuickAnswer(shownAt, ctx.now());
    if (isOld) await requireSameMembers(ctx, api, before, changes);
    await runBoth({ ctx, api, journal, application, options, isOld });
  });
  return changedExit(options);
}

/** A plan that was confirmed. */
interface Confirmed {
  readonly ctx: Context;
  readonly api: Client;
  readonly journal: Journal;
  readonly application: Application;
  readonly options: ApplyOptions;
  /** Whether the plan was made some time ago. */
  readonly isOld: boolean;
}

/** Changes settings before members, because a created queue needs an ID before agents can be added. */
async function runBoth({ ctx, api, journal, application, options, isOld }: Confirmed): Promise<void> {
  const { title, limits, settings = noSettings } = application;
  const isStale = isOld || application.isSaved === true;
  const members = membersToFollow(ctx, application);
  await withSettingRows(ctx, async ({ report, take: earlier }) => {
    const parts = { ctx, api, journal, settings, title, options, isOld: isStale, members, report };
    const { ids, run: partOf } = await runSettings(parts);
    const { plan, before, input } = withCreatedIds(application.planned, ids);
    if (neededChanges(plan).length === 0) {
      const { skipped } = plan;
      return reportEmpty(ctx, { input, unchanged: unchangedOf(plan), skipped }, options, earlier);
    }
    const baseUrl = serviceOf(ctx);
    const origin = runOrigin(ctx, options);
    const now = ctx.now();
    const run = journalPlan(journal, plan, { title, baseUrl, now, before, input, limits, partOf, origin });
    return runAndReport({ ctx, journal, run, work: assignmentWork(api), options, earlier });
  });
}

/** Returns the members of the plan; undefined if no member changes. */
function membersToFollow(ctx: Context, { planned, limits, title }: Application): MembersToFollow | undefined {
  if (neededChanges(planned.plan).length === 0) return undefined;
  const [first] = limits;
  const computed = { ...planned, limits: first ?? noLimits, guards: [], failures: [], problems: [] };
  const requests = { seconds: 0 };
  const place = { baseUrl: serviceOf(ctx), now: ctx.now(), requests, settings: undefined };
  return { plan: toPlanDocument(computed, place), limits, title };
}
const noLimits: PlanLimits = { maxRemovals: undefined, allowEmpty: true, protectedIds: [] };

/** Returns the changes in existing queues. A dry run cannot show the changes in a queue that it would create. */
function knownQueues<C extends Pick<PlannedChange, 'queue'>>(changes: readonly C[]): readonly C[] {
  return changes.filter(({ queue }) => isServiceId(String(queue.id)));
}

/** Returns the exit code of a run with changes. */
export function changedExit({ detailedExitcode }: ApplyOptions): ExitCode {
  return detailedExitcode ? Exit.changesPresent : Exit.ok;
}

async function reportUnchanged(ctx: Context, application: Application, options: BulkOptions): Promise<void> {
  const { plan, input } = application.planned;
  showSkipped(ctx, application);
  ctx.out.note(noChangesText);
  await noteOpen(ctx, plan);
  const { skipped } = plan;
  await reportEmpty(ctx, { input, unchanged: unchangedOf(plan), skipped }, options);
}

function noteOpen(ctx: Context, { changes }: Plan): Promise<void> {
  return noteOpenRuns(ctx, { kind: assignmentKind, resume: resumeCommand, keyOf: changeKey }, changes);
}

function showSkipped(ctx: Context, { planned: { plan, removalsSkipped } }: Application): void {
  if (plan.skipped.length > 0) ctx.out.show(ctx.out.style('bad', skippedText(plan.skipped)));
  for (const text of removalsSkipped) ctx.out.warn(text);
}

/** @throws {CommandError} `guarded` (exit 9) when a new plan exceeds a safety limit. */
export function requireNoGuards(guards: readonly Guard[]): void {
  requireNone(
    guards.map(guardAdvice),
    'if you want to make these changes, raise the limits with the options above; otherwise, change the list',
  );
}

/** Like `requireNoGuards`, for a saved plan; `ofPlan` contains the guards of the limits that are stored in the plan. */
export function requireNoSavedGuards(guards: readonly Guard[], ofPlan: readonly Guard[]): void {
  requireNone(
    guards.map((guard) => savedGuardText(guard, ofPlan.includes(guard))),
    guards.some((guard) => ofPlan.includes(guard))
      ? nextStep`if you want to make these changes, create the plan again with other limits: ${ucctl('queue plan --plan-out FILE')}`
      : 'if you want to make these changes, apply the plan with other limits',
  );
}

/**
 * Like `requireNoGuards`, for the remaining changes of a run; `ofRun` contains the guards of the limits that are stored
 * in the run.
 */
export function requireNoRemainingGuards(guards: readonly Guard[], ofRun: readonly Guard[]): void {
  requireNone(
    guards.map((guard) => remainingGuardText(guard, ofRun.includes(guard))),
    guards.some((guard) => ofRun.includes(guard))
      ? 'if you want to make these changes, run the command again with the list and higher limits'
      : nextStep`if you want to make these changes, resume the run with higher limits; to show the protected agents: ${ucctl('config get protect')}`,
    'the remaining changes exceed a safety limit',
  );
}

function requireNone(
  details: readonly string[],
  next: Hint,
  message = 'the plan exceeds a safety limit',
): void {
  if (details.length === 0) return;
  throw new CommandError('guarded', Exit.blocked, message, {
    details,
    hint: nextStep`${next}; nothing was sent`,
  });
}

async function confirm(ctx: Context, plan: Plan, settings: SettingsPlan): Promise<void> {
  const { length } = plan.skipped;
  const skipped = length === 0 ? '' : `; ${counted(length, 'row')} ${isOrAre(length)} skipped`;
  const question = `${summaryOfBoth(plan, settings)}${skipped}. Apply?`;
  await requireConfirmation(ctx, question, 'nothing was changed');
}

/**
 * Reads the present members. @throws {CommandError} `stale_plan` (exit 11) if the members have changed since the plan
 * was made. The error also lists the changed settings of the same plan.
 */
export async function requireSameMembers(
  ctx: Context,
  api: Client,
  before: Membership,
  settings: readonly ResourceChange[] = [],
): Promise<Membership> {
  const ids = [...before.keys()].filter(isServiceId);
  const now = await readMembershipWithProgress(ctx, api, ids);
  const moved = changedQueues(before, now);
  if (moved.length === 0) return now;
  const directory = openDirectory(api, ctx.signal);
  const who = await whoChanged(ctx, api, moved);
  const members = await Promise.all(
    moved.map(async (id) => {
      const text = await memberChangesText(directory, id, memberChangesOf(id, before, now));
      const by = who.get(id);
      return by === undefined ? text : `${text} (${by})`;
    }),
  );
  const changed = await resourceDrift(ctx, queueSettings(ctx, api), settings);
  const what = changed.length === 0 ? 'members' : 'queues';
  throw new CommandError('stale_plan', Exit.conflict, `the ${what} have changed since the plan was created`, {
    details: [...changed, ...members],
    hint: 'create the plan again; nothing was sent',
  });
}

/** Maximum number of names in a line; further names are only counted. */
const maxNamedMembers = 5;

/** Returns the changes of a queue, e.g. `Support (201): Ann Lee (101) joined; Bo Ek (102) left`. */
async function memberChangesText(
  directory: Directory,
  queueId: string,
  { joined, left }: MemberChanges,
): Promise<string> {
  const name = async (id: string): Promise<string> => {
    const extension = await directory.byId(id);
    return extension ? titleOf(extension) : `extension ${id}`;
  };
  const side = async (ids: readonly string[], word: string): Promise<readonly string[]> => {
    if (ids.length === 0) return [];
    const names = await Promise.all(ids.slice(0, maxNamedMembers).map(name));
    const more = ids.length > maxNamedMembers ? ` and ${ids.length - maxNamedMembers} more` : '';
    return [`${names.join(', ')}${more} ${word}`];
  };
  const parts = [...(await side(joined, 'joined')), ...(await side(left, 'left'))];
  return `${await name(queueId)}: ${parts.join('; ')}`;
}
