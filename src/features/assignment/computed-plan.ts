import type { ListProblem, RunInput } from '../bulk/index.ts';
import type { Guard, PlanLimits } from './guards.ts';
import type { Membership, Plan } from './plan.ts';
import type { ResolveResult } from './resolve.ts';

/** A plan with its inputs, limits and problems. A plan file stores most of these members. */
export interface ComputedPlan {
  readonly plan: Plan;
  /** Members of the queues when the plan was made. */
  readonly before: Membership;
  readonly input: RunInput;
  readonly limits: PlanLimits;
  /** The limits that the plan exceeds, given the members in `before`. */
  readonly guards: readonly Guard[];
  /** Problems of names that were not found. */
  readonly failures: ResolveResult['failures'];
  /** Queues of a desired state from which no agents are removed, with the reason. */
  readonly removalsSkipped: readonly string[];
  /** All problems of the list, for people. */
  readonly problems: readonly ListProblem[];
}
