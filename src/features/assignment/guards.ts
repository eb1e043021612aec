import { counted } from '../../platform/counted.ts';
import { readShare } from '../bulk/index.ts';
import { groupByQueue, neededChanges, titleOf, type Membership, type Plan } from './plan.ts';

/** What a plan must not do unless it is allowed. */
export interface Guards {
  /** `N` or `P%` of the present members of the queues in the plan; undefined for no bound. */
  readonly maxRemovals: string | undefined;
  readonly allowEmpty: boolean;
  /** Ids of agents who are never removed. */
  readonly protectedIds: ReadonlySet<string>;
}

/** Small lists may remove this many where no bound was given for a list that says who stays. */
const removalsAlwaysAllowed = 5;
/** The bound of a list that removes whom it does not name. */
export const defaultMaxRemovals = '20%';

/** Why the plan needs a word more, each with the flag that is that word; empty when it does not. */
export function guardPlan(plan: Plan, members: Membership, guards: Guards): readonly string[] {
  return [
    ...tooMany(plan, members, guards),
    ...emptied(plan, members, guards),
    ...protectedOnes(plan, guards),
  ];
}

function tooMany(plan: Plan, members: Membership, { maxRemovals }: Guards): readonly string[] {
  const removals = neededChanges(plan).filter(({ action }) => action === 'remove');
  const queues = new Set(plan.changes.map(({ queue }) => String(queue.id)));
  const total = [...queues].reduce((sum, id) => sum + (members.get(id)?.size ?? 0), 0);
  if (maxRemovals === undefined) return [];
  const isDefault = maxRemovals === defaultMaxRemovals;
  const share = readShare(maxRemovals, total);
  const allowed = isDefault ? Math.max(share, removalsAlwaysAllowed) : share;
  if (removals.length <= allowed) return [];
  return [
    `${removals.length} of ${counted(total, 'agent')} would be removed, more than ${maxRemovals} (${allowed}); --max-removals allows more`,
  ];
}

function emptied(plan: Plan, members: Membership, { allowEmpty }: Guards): readonly string[] {
  if (allowEmpty) return [];
  return groupByQueue(neededChanges(plan)).flatMap((changes) => {
    const [{ queue }] = changes;
    const left = new Set(members.get(String(queue.id)));
    if (left.size === 0) return [];
    for (const { agent, action } of changes) {
      if (action === 'add') left.add(String(agent.id));
      else left.delete(String(agent.id));
    }
    return left.size > 0 ? [] : [`${titleOf(queue)} would have no agent left; --allow-empty allows it`];
  });
}

function protectedOnes(plan: Plan, { protectedIds }: Guards): readonly string[] {
  return neededChanges(plan)
    .filter(({ agent, action }) => action === 'remove' && protectedIds.has(String(agent.id)))
    .map(({ agent, queue }) => `${titleOf(agent)} is protected and would be removed from ${titleOf(queue)}`);
}
