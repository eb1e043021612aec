import type { ListProblem, RunInput } from '../bulk/index.ts';
import type { Guard, PlanLimits } from './guards.ts';
import type { Membership, Plan } from './plan.ts';
import type { ResolveResult } from './resolve.ts';

/** A plan with everything that was found out while making it. A plan file is one way to write it down. */
export interface ComputedPlan {
  readonly plan: Plan;
  /** Members as the plan saw them. */
  readonly before: Membership;
  readonly input: RunInput;
  readonly limits: PlanLimits;
  /** The limits that the plan exceeds, for `before`. */
  readonly guards: readonly Guard[];
  /** Names not found. */
  readonly failures: ResolveResult['failures'];
  /** Queues of a desired state from which nobody is removed, and why. */
  readonly untrimmed: readonly string[];
  /** Everything that is wrong with the list, for people. */
  readonly problems: readonly ListProblem[];
}
