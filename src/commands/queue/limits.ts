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
import type { Directory } from '../../features/directory/index.ts';
import type { Context } from '../../runtime/context.ts';
import { lookupError, usageError } from '../../errors/command.ts';
import type { WishOptions } from './wish-options.command.ts';

type LimitOptions = Pick<WishOptions, 'maxRemovals' | 'allowEmpty' | 'protect'>;

/**
 * The limits that the options and the profile set.
 * @param fallback the limit on removals where the user gave none
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
    protectedIds: await protectedIds(ctx, directory, protect),
  };
}

async function protectedIds(
  ctx: Context,
  directory: Directory,
  flags: readonly string[],
): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (const name of [...flags, ...(ctx.settings.protect?.value ?? [])]) {
    const lookup = await directory.agent(name);
    if (!lookup.found) throw lookupError({ ...lookup, message: `a protected agent: ${lookup.message}` });
    ids.add(String(lookup.found.id));
  }
  return [...ids];
}

/** The limits that a plan exceeds. @throws {CommandError} `usage` when `--max-removals` is not a number or a share. */
export function checkLimits(plan: Plan, members: Membership, limits: PlanLimits): readonly Guard[] {
  try {
    return guardPlan(plan, members, limits);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw usageError(`--max-removals ${error.message}`);
  }
}

/**
 * The limits that a saved plan exceeds, given the present members: those that it was made with and those of this command; of both the
 * stricter holds. `--allow-empty` loosens nothing here.
 */
export async function checkSavedLimits(
  ctx: Context,
  directory: Directory,
  { plan, limits, guards }: SavedPlan,
  members: Membership,
  options: LimitOptions,
): Promise<{ readonly guards: readonly Guard[]; readonly ofPlan: readonly Guard[] }> {
  const own = await limitsOf(ctx, directory, options, undefined);
  const recorded = guards.filter(({ kind }) => kind === 'sentence');
  const ofPlan = [...recorded, ...checkLimits(plan, members, limits)];
  const ofOptions = checkLimits(plan, members, { ...own, allowEmpty: true });
  return { guards: stricterGuards(ofPlan, ofOptions), ofPlan };
}
