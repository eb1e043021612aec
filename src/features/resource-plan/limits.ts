import { CommandError, Exit, usageError } from '../../errors/command.ts';
import { counted } from '../../platform/counted.ts';
import { isJsonObject } from '../../platform/json.ts';
import { areTexts, isShareLimit, readShare } from '../bulk/index.ts';
import type { ResourceChange, ResourcePlan } from './change.ts';

/** The safety limits of a plan. */
export interface ResourceLimits {
  /** Maximum number of changed resources, `N` or `P%` of the resources, or of their owners; undefined means no limit. */
  readonly maxChanges: { readonly given: string; readonly atLeast: number } | undefined;
  /** IDs of resources that must not change. */
  readonly protectedIds: readonly string[];
}

/** Whether a value of a saved plan is its limits. A plan with unreadable limits must not be applied as if it had none. */
export function areResourceLimits(value: unknown): value is ResourceLimits {
  if (!isJsonObject(value)) return false;
  const { maxChanges, protectedIds } = value;
  return (maxChanges === undefined || isShareLimit(maxChanges)) && areTexts(protectedIds);
}

/** A safety limit that a plan exceeds. */
export type ResourceGuard =
  | {
      readonly kind: 'max-changes';
      readonly changed: number;
      readonly total: number;
      readonly limit: number;
      readonly given: string;
    }
  | { readonly kind: 'protected'; readonly id: string; readonly title: string };

/**
 * Returns the limits that changes exceed.
 * @param total number of resources, or of their owners, to which a percentage refers
 * @throws {CommandError} `usage` for an invalid number of `--max-changes`
 */
export function guardResources(
  changes: readonly ResourceChange[],
  total: number,
  { maxChanges, protectedIds }: ResourceLimits,
): readonly ResourceGuard[] {
  const isProtected = new Set(protectedIds);
  const blocked = changes.flatMap(({ id, title }): readonly ResourceGuard[] =>
    id !== null && isProtected.has(id) ? [{ kind: 'protected', id, title }] : [],
  );
  if (maxChanges === undefined) return blocked;
  const { given, atLeast } = maxChanges;
  const limit = Math.max(shareOf(given, total), atLeast);
  const changed = changes.length;
  if (changed <= limit) return blocked;
  return [{ kind: 'max-changes', changed, total, limit, given }, ...blocked];
}

function shareOf(given: string, total: number): number {
  try {
    return readShare(given, total);
  } catch (error) {
    throw usageError(`--max-changes ${(error as Error).message}`);
  }
}

/** Returns the number of resources in a plan. */
export function sizeOf({ changes, unchanged }: Pick<ResourcePlan, 'changes' | 'unchanged'>): number {
  return changes.length + unchanged.length;
}

/** Formats a guard as text, with the option that raises the limit. */
export function resourceGuardText(guard: ResourceGuard, noun: string): string {
  if (guard.kind === 'protected') {
    return `${guard.title} would change, but --protect or the protect setting protects this entry`;
  }
  const { changed, total, limit, given } = guard;
  // A percentage of rules refers to their owners.
  const ofOwners = noun === 'rule' && given.endsWith('%') ? ` of ${counted(total, 'extension')}` : '';
  const most = given === String(limit) ? given : `${given}${ofOwners} (${limit})`;
  const what = noun === 'rule' ? counted(changed, noun) : `${changed} of ${total} ${noun}s`;
  return `${what} would change, but the limit is ${most}; use --max-changes ${changed} to allow these changes`;
}

/** Checks the safety limits of a plan. @throws {CommandError} `guarded` (exit 9) if the plan exceeds a limit. */
export function requireWithinResourceLimits(guards: readonly ResourceGuard[], noun: string): void {
  if (guards.length === 0) return;
  throw new CommandError('guarded', Exit.blocked, 'the plan exceeds a safety limit', {
    details: guards.map((guard) => resourceGuardText(guard, noun)),
    hint: 'nothing was sent; if you want to make these changes, raise the limits with the options above; otherwise, change the file',
  });
}
