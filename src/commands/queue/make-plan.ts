import type { Client } from '../../client/index.ts';
import {
  defaultRemovals,
  planAssignments,
  readMembershipTold,
  resolveRequests,
  type ComputedPlan,
  type Plan,
  type ReadResult,
  type RefusedWish,
  type ResolveResult,
} from '../../features/assignment/index.ts';
import {
  inFileOrder,
  listError,
  mayLeaveOut,
  problemLines,
  problemText,
  type ListProblem,
} from '../../features/bulk/index.ts';
import { lostNames, openDirectory } from '../../features/directory/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError, usageError } from '../../errors/command.ts';
import { hintText } from '../../errors/hint.ts';
import { checkLimits, limitsOf } from './limits.ts';
import { modeOf } from './read-list.ts';
import type { WishOptions } from './wish-options.command.ts';

/** Finds the names, reads the members, compares, checks the limits. */
export async function makePlan(
  ctx: Context,
  api: Client,
  list: ReadResult,
  options: WishOptions,
): Promise<ComputedPlan> {
  const directory = openDirectory(api, ctx.signal);
  const found = await resolveRequests(list.requests, list.wanted, directory);
  const { resolved, wanted, failures } = found;
  const mode = modeOf(options);
  // With --add-only nobody is removed anyway.
  const untrimmed = mode === 'add-only' ? [] : found.untrimmed;
  const queueIds = new Set([...resolved.map(({ queue }) => queue), ...wanted].map(({ id }) => String(id)));
  const before = await readMembershipTold(ctx, api, queueIds);
  const known = new Map((await directory.all()).map((one) => [String(one.id), one]));
  const scope = { mode, wanted, known: (id: string) => known.get(id) };
  const compared = planAssignments(resolved, before, scope);
  const plan: Plan = { ...compared, refused: [...found.refused, ...compared.refused] };
  const fallback = list.wanted.length > 0 ? defaultRemovals : undefined;
  const limits = await limitsOf(ctx, directory, options, fallback);
  return {
    plan,
    before,
    input: list.input,
    limits,
    guards: checkLimits(plan, before, limits),
    failures,
    untrimmed,
    problems: [
      ...failures.map(({ problem }) => problem),
      ...compared.refused.map(refusedProblem),
      ...plan.problems,
      ...untrimmed.map((text) => ({ place: undefined, text })),
    ],
  };
}

/**
 * @throws {CommandError} with everything that is wrong with a list, also what is wrong with its readable rows: names that lead nowhere, agents
 * who cannot take calls, contradictions.
 */
export async function requireReadable(ctx: Context, list: ReadResult): Promise<void> {
  if (list.problems.length === 0) return;
  const wrong = await lostNames(ctx, async (directory) => {
    const { failures, resolved } = await resolveRequests(list.requests, list.wanted, directory);
    const queueIds = new Set(resolved.map(({ queue }) => String(queue.id)));
    const plan = planAssignments(resolved, await readMembershipTold(ctx, await ctx.api(), queueIds));
    return wrongWith(failures, plan);
  });
  throw listError([...list.problems, ...wrong]);
}

/** Everything that is wrong with the readable rows of a list. */
function wrongWith(
  failures: ResolveResult['failures'],
  { refused, problems }: Pick<Plan, 'refused' | 'problems'>,
): readonly ListProblem[] {
  const notAgents = refused.filter(({ code }) => code === 'not_an_agent').map(refusedProblem);
  return [...failures.map(missProblem), ...notAgents, ...problems];
}

function refusedProblem({ place, message }: RefusedWish): ListProblem {
  return { place, text: message };
}

/** A name that was not found, with what it may have meant. */
function missProblem({ problem, failure }: ResolveResult['failures'][number]): ListProblem {
  const { place, text } = problem;
  return {
    place,
    text: failure.kind === 'unknown' ? `${text} (${hintText(failure.hint)})` : text,
    more: failure.details.map((candidate) => `  ${candidate}`),
  };
}

/**
 * Lets a plan pass that is free of contradictions and whose bad rows, where there are any, are no more than the run accepts.
 * @throws {CommandError} that lists all names that were not found and all assignments that are not possible.
 */
export function requirePossible(
  { failures, plan }: Pick<ComputedPlan, 'failures' | 'plan'>,
  limits: Pick<BulkOptions, 'maxErrors' | 'failFast'>,
): void {
  const leavesOut = mayLeaveOut(plan.refused, plan.changes.length, limits);
  if (leavesOut && plan.problems.length === 0) return;
  const problems = inFileOrder(wrongWith(failures, plan));
  const { length } = problems;
  const onlyNames = length === failures.length;
  const [first] = failures;
  if (first && length === 1) throw lookupError({ ...first.failure, message: problemText(first.problem) });
  const isUnknown =
    failures.length > 0 &&
    plan.problems.length === 0 &&
    failures.every(({ failure }) => failure.kind === 'unknown');
  throw (isUnknown ? notFoundError : usageError)(
    headlineOf(length, onlyNames),
    onlyNames ? 'correct the names; nothing was sent' : 'correct these or leave them out; nothing was sent',
    problemLines(problems),
  );
}

function headlineOf(problems: number, onlyNames: boolean): string {
  if (onlyNames) return `${problems} names not found`;
  return `${counted(problems, 'assignment')} ${isOrAre(problems)} not possible`;
}
