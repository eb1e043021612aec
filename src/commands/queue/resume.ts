import type { Client } from '../../client/index.ts';
import {
  assignmentKind,
  assignmentSends,
  assignmentWork,
  planOfRest,
  readMembershipTold,
  type AssignmentDetail,
  type AssignmentPayload,
} from '../../features/assignment/index.ts';
import { resumeRun, type JournalItem, type JournalledRun } from '../../features/bulk/index.ts';
import { openDirectory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { Exit, type ExitCode } from '../../errors/command.ts';
import { changedExit, refuseGuardedRest, type ApplyOptions } from './apply-plan.ts';
import { checkRestLimits, limitsOf } from './limits.ts';
import { runAndReport } from './run-report.ts';
import type { WishOptions } from './wish-options.command.ts';

type ResumeOptions = ApplyOptions & Pick<WishOptions, 'maxRemovals' | 'allowEmpty' | 'protect'>;

/** `queue apply --resume RUN`, within the safety limits of the run and those of this command. */
export async function resumeAssignment(
  ctx: Context,
  word: string,
  options: ResumeOptions,
): Promise<ExitCode> {
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
 * A share of the members is that of all queues of the run, as when it was started: some of them may be finished.
 * @throws {CommandError} `guarded` (exit 9) when what is left exceeds a safety limit.
 */
async function requireWithinLimits(
  { ctx, api, options }: LimitParts,
  left: readonly JournalItem<AssignmentPayload>[],
  { detail, items }: JournalledRun<AssignmentPayload>,
): Promise<void> {
  const rest = left.map(({ payload }) => payload);
  const removes = rest.some(({ action }) => action === 'remove');
  const queues = new Set(removes ? items.map(({ payload }) => String(payload.queue.id)) : []);
  const { limits = [] } = detail as AssignmentDetail;
  const own = await limitsOf(ctx, openDirectory(api, ctx.signal), options, undefined);
  const members = await readMembershipTold(ctx, api, queues);
  const { guards, ofRun } = checkRestLimits(planOfRest(rest, members), members, limits, own);
  refuseGuardedRest(guards, ofRun);
}
