import { readShare } from '../bulk/index.ts';
import { groupByQueue, neededChanges, partyOf, type Membership, type Party, type Plan } from './plan.ts';

/** The number of agents that a plan may remove. */
export interface RemovalLimit {
  /** The limit as given by the user: `N`, or `P%` of the current members of the queues in the plan. */
  readonly given: string;
  /** Number of removals that is always allowed. */
  readonly atLeast: number;
}

/** The safety limits of a plan. */
export interface PlanLimits {
  /** Maximum number of removals; undefined means no limit. */
  readonly maxRemovals: RemovalLimit | undefined;
  readonly allowEmpty: boolean;
  /** IDs of agents who are never removed. */
  readonly protectedIds: readonly string[];
}

/** The default limit for a desired state. */
export const defaultRemovals: RemovalLimit = { given: '20%', atLeast: 5 };

/** A safety limit that a plan exceeds. */
export type Guard =
  | {
      readonly kind: 'max-removals';
      readonly removed: number;
      /** Current members of the queues in the plan. */
      readonly total: number;
      readonly limit: number;
      readonly given: string;
    }
  | { readonly kind: 'empty'; readonly queue: Party }
  | { readonly kind: 'protected'; readonly agent: Party; readonly queue: Party }
  /** A guard of a plan file of version 1, which stores its guards as sentences. */
  | { readonly kind: 'sentence'; readonly text: string };

/**
 * Returns the limits that a plan exceeds, given the current members of its queues.
 * @throws {RangeError} if `maxRemovals` is not a number or a percentage. The message is the rest of a sentence that
 * begins with the name of the option.
 */
export function guardPlan(plan: Plan, members: Membership, limits: PlanLimits): readonly Guard[] {
  return [
    ...tooManyRemovals(plan, members, limits),
    ...emptiedQueues(plan, members, limits),
    ...protectedRemovals(plan, limits),
  ];
}

/** Combines the guards of two sets of limits. Of two limits on removals, the stricter limit applies. */
export function stricterGuards(one: readonly Guard[], other: readonly Guard[]): readonly Guard[] {
  const byKey = new Map<string, Guard>();
  for (const guard of [...one, ...other]) {
    const key = keyOf(guard);
    const known = byKey.get(key);
    const isLooser =
      known?.kind === 'max-removals' && guard.kind === 'max-removals' && guard.limit >= known.limit;
    if (!isLooser) byKey.set(key, guard);
  }
  return [...byKey.values()];
}

function keyOf(guard: Guard): string {
  switch (guard.kind) {
    case 'max-removals':
      return guard.kind;
    case 'empty':
      return `empty ${guard.queue.id}`;
    case 'protected':
      return `protected ${guard.agent.id} ${guard.queue.id}`;
    case 'sentence':
    default:
      return `sentence ${guard.text}`;
  }
}

function tooManyRemovals(plan: Plan, members: Membership, { maxRemovals }: PlanLimits): readonly Guard[] {
  const removed = neededChanges(plan).filter(({ action }) => action === 'remove').length;
  const queues = new Set(plan.changes.map(({ queue }) => String(queue.id)));
  const total = [...queues].reduce((sum, id) => sum + (members.get(id)?.size ?? 0), 0);
  if (maxRemovals === undefined) return [];
  const { given, atLeast } = maxRemovals;
  const limit = Math.max(readShare(given, total), atLeast);
  return removed <= limit ? [] : [{ kind: 'max-removals', removed, total, limit, given }];
}

function emptiedQueues(plan: Plan, members: Membership, { allowEmpty }: PlanLimits): readonly Guard[] {
  if (allowEmpty) return [];
  return groupByQueue(neededChanges(plan)).flatMap((changes) => {
    const [{ queue }] = changes;
    const left = new Set(members.get(String(queue.id)));
    if (left.size === 0) return [];
    for (const { agent, action } of changes) {
      if (action === 'add') left.add(String(agent.id));
      else left.delete(String(agent.id));
    }
    return left.size > 0 ? [] : [{ kind: 'empty', queue: partyOf(queue) }];
  });
}

function protectedRemovals(plan: Plan, { protectedIds }: PlanLimits): readonly Guard[] {
  const isProtected = new Set(protectedIds);
  return neededChanges(plan)
    .filter(({ agent, action }) => action === 'remove' && isProtected.has(String(agent.id)))
    .map(({ agent, queue }) => ({ kind: 'protected', agent: partyOf(agent), queue: partyOf(queue) }));
}
