import type { Client } from '../../client/index.ts';
import {
  defaultMaxRemovals,
  guardPlan,
  planAssignments,
  readMembershipTold,
  resolveRequests,
  toPlanDocument,
  type Membership,
  type Plan,
  type PlanDocument,
  type ReadResult,
  type ResolveResult,
} from '../../features/assignment/index.ts';
import { inFileOrder, listError, mayLeaveOut } from '../../features/bulk/index.ts';
import { lostNames, openDirectory, type Directory } from '../../features/directory/index.ts';
import { counted, isOrAre } from '../../platform/counted.ts';
import type { BulkOptions } from '../../runtime/bulk-options.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, notFoundError, usageError } from '../../runtime/errors.ts';
import { modeOf } from './read-list.ts';
import type { WishOptions } from './wish-options.command.ts';

/** A plan with all that is known about it. */
export interface Planned {
  readonly plan: Plan;
  readonly before: Membership;
  readonly document: PlanDocument;
  /** Names that lead nowhere. */
  readonly failures: ResolveResult['failures'];
  /** Queues of a wanted state from which nobody is removed, and why. */
  readonly untrimmed: readonly string[];
  /** Members were read this many times: part of the next estimate. */
  readonly reads: number;
}

/** Finds the names, reads the members, compares, asks the guards. */
export async function makePlan(
  ctx: Context,
  api: Client,
  list: ReadResult,
  options: WishOptions,
): Promise<Planned> {
  const directory = openDirectory(api, ctx.signal);
  const found = await resolveRequests(list.requests, list.wanted, directory);
  const { resolved, wanted, failures } = found;
  const mode = modeOf(options);
  // Where nobody would be removed anyway there is nothing to tell.
  const untrimmed = mode === 'add-only' ? [] : found.untrimmed;
  const queueIds = new Set([...resolved.map(({ queue }) => queue), ...wanted].map(({ id }) => String(id)));
  const before = await readMembershipTold(ctx, api, queueIds);
  const known = new Map((await directory.all()).map((one) => [String(one.id), one]));
  const scope = { mode, wanted, known: (id: string) => known.get(id) };
  const compared = planAssignments(resolved, before, scope);
  const plan: Plan = { ...compared, refused: [...found.refused, ...compared.refused] };
  const guards = guardsOf(
    plan,
    before,
    options,
    await protectedIds(ctx, directory, options.protect),
    list.wanted.length > 0,
  );
  const document = toPlanDocument({
    plan,
    before,
    input: list.input,
    baseUrl: ctx.settings.baseUrl.value ?? '',
    now: ctx.now(),
    problems: [
      ...failures.map(({ text }) => text),
      ...compared.refused.map(({ message }) => message),
      ...plan.problems,
      ...untrimmed,
    ],
    guards,
  });
  return { plan, before, document, failures, untrimmed, reads: before.size };
}

function guardsOf(
  plan: Plan,
  before: Membership,
  options: WishOptions,
  protectedIds: ReadonlySet<string>,
  saysWho: boolean,
): readonly string[] {
  const maxRemovals = options.maxRemovals ?? (saysWho ? defaultMaxRemovals : undefined);
  try {
    return guardPlan(plan, before, { maxRemovals, allowEmpty: options.allowEmpty ?? false, protectedIds });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`--max-removals ${error.message}`);
  }
}

async function protectedIds(
  ctx: Context,
  directory: Directory,
  flags: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const name of [...flags, ...(ctx.settings.protect?.value ?? [])]) {
    const lookup = await directory.agent(name);
    if (!lookup.found) throw lookupError({ ...lookup, message: `a protected agent: ${lookup.message}` });
    ids.add(String(lookup.found.id));
  }
  return ids;
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
  const problems = inFileOrder([...list.problems.map((problem) => [problem]), ...wrong]);
  throw listError(problems);
}

/** Everything that is wrong with the readable rows of a list, each with the lines that tell it. */
function wrongWith(
  failures: ResolveResult['failures'],
  { refused, problems }: Pick<Plan, 'refused' | 'problems'>,
): readonly (readonly string[])[] {
  const told = refused.filter(({ code }) => code === 'not_an_agent').map(({ message }) => [message]);
  return [...failures.map(missLines), ...told, ...problems.map((problem) => [problem])];
}

/** A name that leads nowhere, with what it may have meant. */
function missLines({ text, failure }: ResolveResult['failures'][number]): readonly string[] {
  return [
    failure.kind === 'unknown' ? `${text} (${failure.hint})` : text,
    ...failure.details.map((candidate) => `  ${candidate}`),
  ];
}

/**
 * Lets a plan pass that is free of contradictions and whose bad rows, where there are any, are no more than the run accepts.
 * @throws {CommandError} that tells all names that led nowhere and all assignments that are not possible.
 */
export function requirePossible(
  { failures, plan }: Pick<Planned, 'failures' | 'plan'>,
  limits: Pick<BulkOptions, 'maxErrors' | 'failFast'>,
): void {
  const leavesOut = mayLeaveOut(plan.refused, plan.changes.length, limits);
  if (leavesOut && plan.problems.length === 0) return;
  const problems = inFileOrder(wrongWith(failures, plan));
  const { length } = problems;
  const onlyNames = length === failures.length;
  const [first] = failures;
  if (first && length === 1) throw lookupError({ ...first.failure, message: first.text });
  const isUnknown =
    failures.length > 0 &&
    plan.problems.length === 0 &&
    failures.every(({ failure }) => failure.kind === 'unknown');
  throw (isUnknown ? notFoundError : usageError)(
    headlineOf(length, onlyNames),
    onlyNames ? 'correct the names; nothing was sent' : 'correct these or leave them out; nothing was sent',
    problems.flat(),
  );
}

function headlineOf(problems: number, onlyNames: boolean): string {
  if (onlyNames) return `${problems} names lead nowhere`;
  return `${counted(problems, 'assignment')} ${isOrAre(problems)} not possible`;
}
