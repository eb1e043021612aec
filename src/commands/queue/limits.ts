import {
  guardPlan,
  stricterGuards,
  type Guard,
  type Membership,
  type Plan,
  type PlanLimits,
  type RemovalLimit,
  type SavedPlan,
} from '../../features/assignment/index.ts';
import { protectedAgents, type Directory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { usageError } from '../../errors/command.ts';
import type { PlanOptions } from './plan-options.command.ts';

type LimitOptions = Pick<PlanOptions, 'maxRemovals' | 'allowEmpty' | 'protect'>;

/**
 * Returns the limits of the options and the profile.
 * @param fallback the limit on removals without --max-removals
 * @throws {CommandError} for a protected agent who is not found.
 */
export async function limitsOf(
  ctx: Context,
  directory: Directory,
  { maxRemovals, allowEmpty, protect }: LimitOptions,
  fallback: RemovalLimit | undefined,
): Promise<PlanLimits> {
  return {
    maxRemovals: maxRemovals === undefined ? fallback : { given: maxRemovals, atLeast: 0 },
    allowEmpty: allowEmpty ?? false,
    protectedIds: await protectedAgents(directory, { option: protect, setting: ctx.settings.protect.value }),
  };
}

/**
 * Returns the limits that a plan exceeds. @throws {CommandError} `usage` if `--max-removals` is not a valid number or
 * percentage.
 */
export function checkLimits(plan: Plan, members: Membership, limits: PlanLimits): readonly Guard[] {
  try {
    return guardPlan(plan, members, limits);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`--max-removals ${error.message}`);
  }
}

/** The result of checking a saved plan. */
interface SavedCheck {
  readonly guards: readonly Guard[];
  /** Guards of the limits that are stored in the plan. */
  readonly ofPlan: readonly Guard[];
  /** The limits that were checked. */
  readonly limits: readonly PlanLimits[];
}

/**
 * Checks a saved plan against the limits in the plan and the limits of this command, given the present members; the
 * stricter limit applies. `--allow-empty` has no effect here.
 */
export async function checkSavedLimits(
  ctx: Context,
  directory: Directory,
  { plan, limits, guards }: SavedPlan,
  members: Membership,
  options: LimitOptions,
): Promise<SavedCheck> {
  const own = { ...(await limitsOf(ctx, directory, options, undefined)), allowEmpty: true };
  const recorded = guards.filter(({ kind }) => kind === 'sentence');
  const ofPlan = [...recorded, ...checkLimits(plan, members, limits)];
  const ofOptions = checkLimits(plan, members, own);
  return { guards: stricterGuards(ofPlan, ofOptions), ofPlan, limits: [limits, own] };
}

/**
 * Checks the remaining changes of a run against the limits in the run and the limits of this command, given the present
 * members; the stricter limit applies. `--allow-empty` has no effect here.
 */
export function checkRemainingLimits(
  plan: Plan,
  members: Membership,
  recorded: readonly PlanLimits[],
  own: PlanLimits,
): { readonly guards: readonly Guard[]; readonly ofRun: readonly Guard[] } {
  const ofRun = recorded
    .map((limits) => checkLimits(plan, members, limits))
    .reduce<readonly Guard[]>(stricterGuards, []);
  const ofOptions = checkLimits(plan, members, { ...own, allowEmpty: true });
  return { guards: stricterGuards(ofRun, ofOptions), ofRun };
}
