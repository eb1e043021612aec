import { readShare } from '../bulk/index.ts';
import { groupByQueue, neededChanges, partyOf, type Membership, type Party, type Plan } from './plan.ts';

/** How many agents a plan may remove. */
export interface RemovalLimit {
  /** `N` or `P%` of the present members of the queues in the plan, as the user gave it. */
  readonly given: string;
  /** Removals that are allowed however small the share is. */
  readonly atLeast: number;
}

/** The safety limits of a plan. */
export interface PlanLimits {
  /** Undefined: any number. */
  readonly maxRemovals: RemovalLimit | undefined;
  readonly allowEmpty: boolean;
  /** Ids of agents who are never removed. */
  readonly protectedIds: readonly string[];
}

/** The limit of a list that says who stays, where the user gave none. */
export const defaultRemovals: RemovalLimit = { given: '20%', atLeast: 5 };

/** A safety limit that a plan exceeds. */
export type Guard =
  | {
      readonly kind: 'max-removals';
      readonly removed: number;
      /** Present members of the queues in the plan. */
      readonly total: number;
      readonly limit: number;
      readonly given: string;
    }
  | { readonly kind: 'empty'; readonly queue: Party }
  | { readonly kind: 'protected'; readonly agent: Party; readonly queue: Party }
  /** Of a plan file of version 1, which has its guards as sentences. */
  | { readonly kind: 'sentence'; readonly text: string };

/**
 * The limits that a plan exceeds, given the present members of its queues.
 * @throws {RangeError} with a sentence for the user when `maxRemovals` is not a number or a share.
 */
export function guardPlan(plan: Plan, members: Membership, limits: PlanLimits): readonly Guard[] {
  return [
    ...tooMany(plan, members, limits),
    ...emptied(plan, members, limits),
    ...protectedOnes(plan, limits),
  ];
}

/** The guards of two sets of limits; of two limits on removals the stricter. */
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

function tooMany(plan: Plan, members: Membership, { maxRemovals }: PlanLimits): readonly Guard[] {
  const removed = neededChanges(plan).filter(({ action }) => action === 'remove').length;
  const queues = new Set(plan.changes.map(({ queue }) => String(queue.id)));
  const total = [...queues].reduce((sum, id) => sum + (members.get(id)?.size ?? 0), 0);
  if (maxRemovals === undefined) return [];
  const { given, atLeast } = maxRemovals;
  const limit = Math.max(readShare(given, total), atLeast);
  return removed <= limit ? [] : [{ kind: 'max-removals', removed, total, limit, given }];
}

function emptied(plan: Plan, members: Membership, { allowEmpty }: PlanLimits): readonly Guard[] {
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

function protectedOnes(plan: Plan, { protectedIds }: PlanLimits): readonly Guard[] {
  const isProtected = new Set(protectedIds);
  return neededChanges(plan)
    .filter(({ agent, action }) => action === 'remove' && isProtected.has(String(agent.id)))
    .map(({ agent, queue }) => ({ kind: 'protected', agent: partyOf(agent), queue: partyOf(queue) }));
}
