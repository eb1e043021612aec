import type { Membership, Plan, PlannedChange } from './plan.ts';

export type AssignmentStatus = 'added' | 'removed' | 'unchanged' | 'failed';

/** What became of one planned change. */
export interface AssignmentOutcome {
  readonly change: PlannedChange;
  readonly status: AssignmentStatus;
}

/** Compares the members that were read back with the plan: the service's 204 alone proves nothing about a single agent. */
export function verifyPlan(plan: Plan, after: Membership): readonly AssignmentOutcome[] {
  return plan.changes.map((change) => {
    if (!change.needed) return { change, status: 'unchanged' };
    const isMember = after.get(String(change.queue.id))?.has(String(change.agent.id)) ?? false;
    if (isMember !== (change.action === 'add')) return { change, status: 'failed' };
    return { change, status: change.action === 'add' ? 'added' : 'removed' };
  });
}
