import type { Client } from '../../client/index.ts';
import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  journalPlan,
  neededChanges,
  readPlan,
  remainingPlan,
  readMembershipWithProgress,
  type AssignmentDetail,
  type AssignmentPayload,
  type ComputedPlan,
  type Membership,
  type Plan,
  type PlannedChange,
} from '../../features/assignment/index.ts';
import {
  findResumable,
  findRun,
  isQuickAnswer,
  newestRun,
  resumeRun,
  runOrigin,
  sendDryRun,
  serviceOf,
  showNoRequests,
  warningOfInterrupt,
  withJournal,
  withStepsOfRun,
  type Journal,
  type JournalItem,
  type JournalledRun,
  type RunSummary,
} from '../../features/bulk/index.ts';
import { queueSettings, queueSettingsKind } from '../../features/queue-settings/index.ts';
import { resumeResources, type ResourceChange } from '../../features/resource-plan/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { requireConfirmation } from '../../runtime/require-confirmation.ts';
import { CommandError, Exit, type ExitCode } from '../../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../../errors/hint.ts';
import { assignmentRows } from './assignment.rows.ts';
import { changedExit, requireNoRemainingGuards, type ApplyOptions } from './apply-plan.ts';
import { checkRemainingLimits, limitsOf } from './limits.ts';
import { planText, summaryOfBoth } from './plan-text.ts';
import { runAndReport } from './run-report.ts';
import { isServiceId, noSettings, settingLimits } from './settings.ts';
import {
  createdIds,
  withCreatedIds,
  withSettingRows,
  type MembersToFollow,
  type TakeRows,
} from './settings-run.ts';
import type { PlanOptions } from './plan-options.command.ts';
import { titleOf } from '../../runtime/with-number.ts';

type ResumeOptions = ApplyOptions &
  Pick<PlanOptions, 'maxRemovals' | 'maxChanges' | 'allowEmpty' | 'protect'>;

/**
 * `queue apply --resume RUN`: resumes a run that changed members, or a run that changed settings and then the members of
 * the same plan.
 */
export async function resumeAny(ctx: Context, word: string, options: ResumeOptions): Promise<ExitCode> {
  const found = await withJournal(ctx, (journal) => Promise.resolve(resumableKind(ctx, journal, word)));
  if (found !== queueSettingsKind) return resumeAssignment(ctx, word, options);
  const id = await withJournal(ctx, (journal) =>
    Promise.resolve(
      findResumable(ctx, journal, word, { kind: queueSettingsKind, what: 'change of queue settings' }).id,
    ),
  );
  const kind = queueSettings(ctx, await ctx.api());
  return withSettingRows(ctx, async ({ report, take: earlier }) => {
    const result = await resumeResources(ctx, kind, id, options, {
      limits: () => Promise.resolve(settingLimits(options.maxChanges)),
      report,
      isFollowed: true,
    });
    const isChanged = await followSettings({ ctx, id, options, earlier });
    return isChanged ? changedExit(options) : result;
  });
}

/** A resumed run of settings, after which members are changed. */
interface Following {
  readonly ctx: Context;
  readonly id: string;
  readonly options: ResumeOptions;
  /** Takes the rows of the changed settings, which the report of the members shows first. */
  readonly earlier: TakeRows;
}

/**
 * Makes the changes of members that follow a run of settings, unless they were already started. Returns whether there
 * were any.
 */
async function followSettings(parts: Following): Promise<boolean> {
  const { ctx, id, options, earlier } = parts;
  const api = await ctx.api();
  return withStepsOfRun(ctx, async (journal, locked) => {
    const unlessInterrupted = <T>(read: () => Promise<T>): Promise<T> =>
      warningOfInterrupt(ctx, () => notChanged(id), read);
    const rest = await unlessInterrupted(() =>
      locked(async () => {
        const left = await remainingMembers(ctx, api, journal, id);
        return (
          left && { ...left, own: await limitsOf(ctx, openDirectory(api, ctx.signal), options, undefined) }
        );
      }),
    );
    if (!rest) {
      await (ctx.dryRun ? showNoRequests(ctx) : ctx.out.list(earlier(), assignmentRows.list));
      return false;
    }
    const { plan, limits, members, own } = rest;
    const requireLimits = (present: Membership): void => {
      const { guards, ofRun } = checkRemainingLimits(plan, present, limits, own);
      requireNoRemainingGuards(guards, ofRun);
    };
    requireLimits(members);
    ctx.out.preview(planText(plan, ctx.out));
    if (ctx.dryRun) {
      await sendDryRun(assignmentSends(api, neededChanges(plan), options.maxItems), plan.skipped);
      await showNoRequests(ctx);
      return true;
    }
    const shownAt = ctx.now();
    const question = `${summaryOfBoth(plan, noSettings)}. Apply?`;
    await unlessInterrupted(() => requireConfirmation(ctx, question, 'no agents were changed'));
    await locked(async (isUnchanged) => {
      requireNotStarted(journal, id);
      const isCurrent = isUnchanged && isQuickAnswer(shownAt, ctx.now());
      if (!isCurrent)
        requireLimits(await unlessInterrupted(() => readMembershipWithProgress(ctx, api, members.keys())));
      const { title, before, input } = rest;
      const place = { baseUrl: serviceOf(ctx), now: ctx.now(), origin: runOrigin(ctx, options) };
      const run = journalPlan(journal, plan, { ...place, title, before, input, limits, partOf: id });
      await runAndReport({ ctx, journal, run, work: assignmentWork(api), options, earlier });
    });
    return true;
  });
}

/** Says after Ctrl-C that the settings were changed, but not the members. */
function notChanged(id: string): Hint {
  return nextStep`no agents were changed; to change them: ${ucctl`queue apply --resume ${id}`}`;
}

/** Returns the runs of members that followed a run of settings. An abandoned run has sent nothing. */
function startedMembers(journal: Journal, id: string): readonly RunSummary[] {
  return journal.partsOf(id).filter(({ state }) => state !== 'abandoned');
}

/** @throws {CommandError} `changed_since` (exit 11) if another process has started to change the members */
function requireNotStarted(journal: Journal, id: string): void {
  const [started] = startedMembers(journal, id);
  if (!started) return;
  const message = `run ${started.id} has changed the agents while ucctl waited for the confirmation`;
  throw new CommandError('changed_since', Exit.conflict, message, {
    hint: nextStep`no agents were changed; show that run: ${ucctl`history show ${started.id}`}`,
  });
}

/**
 * Returns the changes of members that follow a run of settings, compared with the present members; undefined if they
 * were already started, or all of them are in effect.
 */
async function remainingMembers(
  ctx: Context,
  api: Client,
  journal: Journal,
  id: string,
): Promise<
  | (Pick<MembersToFollow, 'limits' | 'title'> &
      Pick<ComputedPlan, 'plan' | 'before' | 'input'> & { readonly members: Membership })
  | undefined
> {
  const { following } = journal.detail(id) as { readonly following?: MembersToFollow };
  if (following === undefined || startedMembers(journal, id).length > 0) return undefined;
  const changes = journal.items<ResourceChange>(id).map(({ payload }) => payload);
  const ids = await createdIds(queueSettings(ctx, api), changes, ctx.signal);
  const stored = withCreatedIds(readPlan(JSON.stringify(following.plan)), ids);
  requireAllCreated(stored.plan);
  const queues = new Set(stored.plan.changes.map(({ queue }) => String(queue.id)));
  const members = await readMembershipWithProgress(ctx, api, queues);
  const plan = { ...stored.plan, changes: stored.plan.changes.map((change) => withNeed(change, members)) };
  if (neededChanges(plan).length === 0) return undefined;
  const before = new Map([...stored.before, ...members]);
  return { plan, before, members, input: stored.input, limits: following.limits, title: following.title };
}

function withNeed(change: PlannedChange, members: Membership): PlannedChange {
  const isMember = members.get(String(change.queue.id))?.has(String(change.agent.id)) ?? false;
  return { ...change, needed: isMember !== (change.action === 'add') };
}

/** @throws {CommandError} `partial` (exit 8) if a queue of the plan was not created, so that its agents cannot be added */
function requireAllCreated({ changes }: Plan): void {
  const missing = changes.filter(({ queue }) => !isServiceId(String(queue.id)));
  if (missing.length === 0) return;
  const queues = [...new Set(missing.map(({ queue }) => titleOf(queue)))];
  throw new CommandError('partial', Exit.partial, 'the agents of the plan were not changed', {
    details: queues.map((title) => `queue ${title} was not created`),
    hint: nextStep`fix the file and apply it again: ${ucctl('queue apply -f FILE')}`,
  });
}

/** Returns the kind of the run; for `last`, the kind of the newest open run that changed settings or members. */
function resumableKind(ctx: Context, journal: Journal, word: string): string {
  if (word !== 'last') return findRun(journal, word).kind;
  for (const isOpen of [true, false]) {
    const both = [assignmentKind, queueSettingsKind].map((kind) => newestRun(ctx, journal, { kind, isOpen }));
    const [newest] = both.filter((run) => run !== undefined).toSorted((a, b) => b.started - a.started);
    if (newest) return newest.kind;
  }
  return assignmentKind;
}

/** Resumes a run that changed members, within the safety limits of the run and of this command. */
async function resumeAssignment(ctx: Context, word: string, options: ResumeOptions): Promise<ExitCode> {
  const api = await ctx.api();
  const left = await resumeRun<AssignmentPayload>(ctx, word, {
    kind: assignmentKind,
    what: 'change of queue agents',
    check: (items, run) => requireWithinLimits({ ctx, api, options }, items, run),
    sends(items) {
      const changes = items.map(({ payload }) => payload);
      return assignmentSends(api, changes, options.maxItems);
    },
    execute: (journal, run) => runAndReport({ ctx, journal, run, work: assignmentWork(api), options }),
  });
  return left > 0 ? changedExit(options) : Exit.ok;
}

interface LimitParts {
  readonly ctx: Context;
  readonly api: Client;
  readonly options: ResumeOptions;
}

/**
 * Checks the remaining changes against the safety limits. A percentage refers to the members of all queues of the run,
 * as at the start of the run.
 * @throws {CommandError} `guarded` (exit 9) when they exceed a limit.
 */
async function requireWithinLimits(
  { ctx, api, options }: LimitParts,
  left: readonly JournalItem<AssignmentPayload>[],
  run: JournalledRun<AssignmentPayload>,
): Promise<void> {
  const removes = left.some(({ payload }) => payload.action === 'remove');
  const queues = new Set(removes ? left.map(({ payload }) => String(payload.queue.id)) : []);
  const { limits = [] } = run.detail as AssignmentDetail;
  const own = await limitsOf(ctx, openDirectory(api, ctx.signal), options, undefined);
  const present = await readMembershipWithProgress(ctx, api, queues);
  const { plan, members } = remainingPlan(run, left, present);
  const { guards, ofRun } = checkRemainingLimits(plan, members, limits, own);
  requireNoRemainingGuards(guards, ofRun);
}
