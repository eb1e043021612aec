import type { Client } from '../../client/index.ts';
import {
  defaultRemovals,
  planAssignments,
  readMembershipWithProgress,
  resolveRequests,
  type ComputedPlan,
  type Names,
  type Plan,
  type ReadResult,
  type SkippedRequest,
  type ResolveResult,
} from '../../features/assignment/index.ts';
import {
  inFileOrder,
  rejectList,
  maySkipRows,
  writeErrorsFile,
  maySkip,
  problemLines,
  problemForPeople,
  type ListProblem,
} from '../../features/bulk/index.ts';
import { findNameProblems, withPlanned, type Directory } from '../../features/directory/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError, usageError } from '../../errors/command.ts';
import { hintFor } from '../../runtime/hint-for.ts';
import { checkLimits, limitsOf } from './limits.ts';
import { modeOf } from './read-list.ts';
import type { PlanOptions } from './plan-options.command.ts';
import type { SettingsPlan } from './settings.ts';

/** Queues whose settings are in the same file as a list, and the directory in which the names are looked up. */
interface ListedQueues extends Partial<Pick<SettingsPlan, 'created' | 'aliases'>> {
  readonly directory: Directory;
}

/** Looks up the names of a list, compares the list with the present members, and checks the safety limits. */
export async function makePlan(
  ctx: Context,
  api: Client,
  list: ReadResult,
  options: PlanOptions,
  { directory: present, created = [], aliases }: ListedQueues,
): Promise<ComputedPlan> {
  const directory = withPlanned(present, created);
  const found = await resolveRequests(list, withAliases(directory, aliases));
  const { resolved, failures } = found;
  const mode = modeOf(options);
  // An invalid row may name any member, so no member may be removed for not being listed.
  const isIncomplete = list.invalid.length > 0 && list.desired.length > 0;
  const desired = isIncomplete ? [] : found.desired;
  const skippedRemovals = isIncomplete
    ? ['ucctl removes no agents, because the list has invalid rows']
    : found.removalsSkipped;
  // With --add-only no agents are removed, so no removals are skipped.
  const removalsSkipped = mode === 'add-only' ? [] : skippedRemovals;
  const queueIds = new Set([...resolved.map(({ queue }) => queue), ...desired].map(({ id }) => String(id)));
  const newIds = new Set(created.map(({ id }) => String(id)));
  const members = await readMembershipWithProgress(
    ctx,
    api,
    [...queueIds].filter((id) => !newIds.has(id)),
  );
  const before = new Map([...members, ...[...newIds].map((id) => [id, new Set<string>()] as const)]);
  const known = new Map((await directory.all()).map((one) => [String(one.id), one]));
  const scope = { mode, desired, known: (id: string) => known.get(id) };
  const compared = planAssignments(resolved, before, scope);
  const plan: Plan = {
    ...compared,
    problems: [...found.contradictions, ...compared.problems],
    skipped: [...list.invalid, ...found.skipped, ...compared.skipped],
  };
  const fallback = list.desired.length > 0 ? defaultRemovals : undefined;
  const limits = await limitsOf(ctx, directory, options, fallback);
  return {
    plan,
    before,
    input: list.input,
    limits,
    guards: checkLimits(plan, before, limits),
    failures,
    removalsSkipped,
    problems: [
      ...list.problems,
      ...failures.map(({ problem }) => problem),
      ...compared.skipped.map(skippedProblem),
      ...plan.problems,
      ...removalsSkipped.map((text) => ({ place: undefined, text })),
    ],
  };
}

/**
 * Makes the plan of a list. Without --skip-invalid, a list with invalid rows, unknown names or agents who cannot take
 * calls is rejected as a whole, and nothing is applied.
 * @param queues the queues of the account, and queues that the same file creates or names differently
 * @throws {CommandError} `usage` (exit 2) with all problems of the list
 */
export async function planList(
  ctx: Context,
  list: ReadResult,
  options: PlanOptions & Pick<BulkOptions, 'maxErrors' | 'failFast'>,
  queues: ListedQueues,
): Promise<ComputedPlan> {
  if (!maySkipRows(list.problems, options)) {
    return rejectList(ctx, [...list.problems, ...(await nameProblemsOf(ctx, list))], options);
  }
  const planned = await makePlan(ctx, await ctx.api(), list, options, queues);
  const { plan, failures } = planned;
  const problems = [...list.problems, ...rowProblems(ctx, failures, plan)];
  const isAccepted = maySkipRows(problems, options) && maySkip(plan.skipped, plan.changes.length, options);
  if (!isAccepted) return rejectList(ctx, problems, options);
  await writeErrorsFile(ctx, problems, options);
  return planned;
}

/** Returns a lookup in which a file can name a queue as its settings do. */
function withAliases(directory: Directory, aliases: SettingsPlan['aliases']): Names {
  return {
    agent: (text) => directory.agent(text),
    async queue(text) {
      const id = aliases?.get(text);
      const found = id === undefined ? undefined : await directory.byId(id);
      return found ? { found } : directory.queue(text);
    },
  };
}

/** Returns the problems of the readable rows of a list that is rejected, so that one error reports all problems. */
function nameProblemsOf(ctx: Context, list: ReadResult): Promise<readonly ListProblem[]> {
  return findNameProblems(ctx, async (directory) => {
    const { failures, resolved, contradictions } = await resolveRequests(list, directory);
    const queueIds = new Set(resolved.map(({ queue }) => String(queue.id)));
    const plan = planAssignments(resolved, await readMembershipWithProgress(ctx, await ctx.api(), queueIds));
    return [...rowProblems(ctx, failures, plan), ...contradictions];
  });
}

/** Returns the problems of the readable rows of a list. */
function rowProblems(
  ctx: Context,
  failures: ResolveResult['failures'],
  { skipped, problems }: Pick<Plan, 'skipped' | 'problems'>,
): readonly ListProblem[] {
  const notAgents = skipped.filter(({ code }) => code === 'not_an_agent').map(skippedProblem);
  return [...failures.map((failure) => missProblem(ctx, failure)), ...notAgents, ...problems];
}

function skippedProblem({ place, row, message }: SkippedRequest): ListProblem {
  return { place, text: message, isOfRow: true, row };
}

/** Describes a name that was not found, with suggestions. */
function missProblem(ctx: Context, { problem, failure }: ResolveResult['failures'][number]): ListProblem {
  const { place, text } = problem;
  return {
    place,
    text: failure.kind === 'unknown' ? `${text} (${hintFor(ctx, failure.hint)})` : text,
    more: failure.details.map((candidate) => `  ${candidate}`),
    isOfRow: true,
  };
}

/**
 * Checks a plan of --add and --remove: every name must be found, and every agent must be able to take calls.
 * @throws {CommandError} that lists all unknown names and all impossible assignments.
 */
export function requirePossible(
  ctx: Context,
  { failures, plan }: Pick<ComputedPlan, 'failures' | 'plan'>,
): void {
  if (plan.skipped.length === 0 && plan.problems.length === 0) return;
  const problems = inFileOrder(rowProblems(ctx, failures, plan));
  const { length } = problems;
  const onlyNames = length === failures.length;
  const [first] = failures;
  if (first && length === 1)
    throw lookupError({ ...first.failure, message: problemForPeople(first.problem) });
  const isUnknown =
    failures.length > 0 &&
    plan.problems.length === 0 &&
    failures.every(({ failure }) => failure.kind === 'unknown');
  throw (isUnknown ? notFoundError : usageError)(
    headlineOf(length, onlyNames),
    onlyNames ? 'fix the names; nothing was sent' : 'fix or remove these rows; nothing was sent',
    problemLines(problems),
  );
}

function headlineOf(problems: number, onlyNames: boolean): string {
  if (onlyNames) return `${counted(problems, 'name')} not found`;
  return `${counted(problems, 'assignment')} ${isOrAre(problems)} not possible`;
}
