import type { Client } from '../../client/index.ts';
import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  remainingPlan,
  readMembershipWithProgress,
  type AssignmentDetail,
  type AssignmentPayload,
} from '../../features/assignment/index.ts';
import {
  findRun,
  resumeRun,
  runsOf,
  withJournal,
  type Journal,
  type JournalItem,
  type JournalledRun,
  type RunSummary,
} from '../../features/bulk/index.ts';
import { queueSettings, queueSettingsKind } from '../../features/queue-settings/index.ts';
import { resumeResources } from '../../features/resource-plan/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, type ExitCode } from '../../errors/command.ts';
import { changedExit, requireNoRemainingGuards, type ApplyOptions } from './apply-plan.ts';
import { checkRemainingLimits, limitsOf } from './limits.ts';
import { runAndReport } from './run-report.ts';
import { settingLimits } from './settings.ts';
import type { PlanOptions } from './plan-options.command.ts';

type ResumeOptions = ApplyOptions &
  Pick<PlanOptions, 'maxRemovals' | 'maxChanges' | 'allowEmpty' | 'protect'>;

/** `queue apply --resume RUN`: resumes a run that changed members or a run that changed settings. */
export async function resumeAny(ctx: Context, word: string, options: ResumeOptions): Promise<ExitCode> {
  const found = await withJournal(ctx, (journal) => Promise.resolve(resumableKind(ctx, journal, word)));
  if (found !== queueSettingsKind) return resumeAssignment(ctx, word, options);
  const exit = await resumeResources(ctx, queueSettings(ctx, await ctx.api()), word, options, {
    limits: () => Promise.resolve(settingLimits(options.maxChanges)),
  });
  ctx.out.note(
    'If the file also contains agents, run the command again with the file to make the remaining changes.',
  );
  return exit;
}

/** Returns the kind of the run; for `last`, the kind of the newest open run that changed settings or members. */
function resumableKind(ctx: Context, journal: Journal, word: string): string {
  if (word !== 'last') return findRun(journal, word).kind;
  const newestOf = (kind: string, isOpen: boolean): RunSummary | undefined =>
    runsOf(ctx, journal, kind, ({ state }) => (state === 'open') === isOpen)[0];
  for (const isOpen of [true, false]) {
    const both = [newestOf(assignmentKind, isOpen), newestOf(queueSettingsKind, isOpen)];
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
    what: 'assignment of agents',
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
  { detail, items }: JournalledRun<AssignmentPayload>,
): Promise<void> {
  const remaining = left.map(({ payload }) => payload);
  const removes = remaining.some(({ action }) => action === 'remove');
  const queues = new Set(removes ? items.map(({ payload }) => String(payload.queue.id)) : []);
  const { limits = [] } = detail as AssignmentDetail;
  const own = await limitsOf(ctx, openDirectory(api, ctx.signal), options, undefined);
  const members = await readMembershipWithProgress(ctx, api, queues);
  const { guards, ofRun } = checkRemainingLimits(remainingPlan(remaining, members), members, limits, own);
  requireNoRemainingGuards(guards, ofRun);
}
