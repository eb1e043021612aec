import type { Settings } from '../../runtime/settings.ts';
import type { Action } from '../../runtime/policy.ts';
import { inQuietHours, readQuietHours, type QuietHours } from './quiet-hours.ts';

/** What a profile allows. */
export interface Policy {
  /** Beginnings of numbers that may be reached; empty for all. */
  readonly allow: readonly string[];
  /** Beginnings of numbers that may not, whatever `allow` says. */
  readonly forbid: readonly string[];
  /** When nobody is to be reached. */
  readonly quietHours: QuietHours | undefined;
  /** Most messages and calls in any sixty minutes. */
  readonly maxPerHour: number | undefined;
  /** Nothing may be changed at all. */
  readonly readOnly: boolean;
}

/** The policy of these settings. */
export function policyOf(settings: Settings): Policy {
  const quiet = settings.quietHours?.value;
  return {
    allow: settings.allowPrefixes?.value ?? [],
    forbid: settings.forbidPrefixes?.value ?? [],
    quietHours: quiet === undefined ? undefined : readQuietHours(quiet),
    maxPerHour: settings.maxPerHour?.value,
    readOnly: settings.readOnly?.value ?? false,
  };
}

/** What the judgement depends on beside the action. */
export interface Circumstances {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Messages and calls of the last sixty minutes. */
  readonly sentLastHour: number;
}

/** Which rule forbids an action, in words; undefined when none does. */
export function judgeAction(policy: Policy, action: Action, around: Circumstances): string | undefined {
  if (policy.readOnly) return 'the profile is read-only';
  if (action.kind === 'write') return undefined;
  return (
    forbiddenNumber(policy, action) ??
    quietRefusal(policy, action.at ?? around.now) ??
    hourlyRefusal(policy.maxPerHour, action.count ?? 1, around.sentLastHour)
  );
}

/** Why so many more messages are too many; undefined when they are not. */
export function hourlyRefusal(
  maxPerHour: number | undefined,
  count: number,
  sentLastHour: number,
): string | undefined {
  if (maxPerHour === undefined || count === 0 || sentLastHour + count <= maxPerHour) return undefined;
  const more = count === 1 ? 'another one' : `${count} more`;
  return `at most ${maxPerHour} messages and calls an hour: ${sentLastHour} went out in the last one, ${more} would be too many`;
}

function forbiddenNumber(
  { allow, forbid }: Policy,
  { kind, numbers, isUnreadable }: Action,
): string | undefined {
  // Pages go to extensions of the account.
  if (kind === 'pager' || (allow.length === 0 && forbid.length === 0)) return undefined;
  if (isUnreadable)
    return 'the numbers that it would reach cannot be read, and the policy has rules about numbers';
  for (const written of numbers) {
    const number = written.replaceAll(/[\s().-]/g, '');
    if (!/^\+[1-9]\d{6,14}$/.test(number))
      return `"${written}" is not in E.164 form, so that no rule can be applied to it`;
    const bad = forbid.find((prefix) => number.startsWith(prefix));
    if (bad !== undefined) return `numbers that begin with ${bad} are forbidden: ${number}`;
    if (allow.length > 0 && !allow.some((prefix) => number.startsWith(prefix))) {
      return `only numbers that begin with ${allow.join(', ')} are allowed, not ${number}`;
    }
  }
  return undefined;
}

function quietRefusal({ quietHours }: Policy, at: number): string | undefined {
  if (!quietHours || !inQuietHours(quietHours, at)) return undefined;
  return `quiet hours: ${quietHours.text}`;
}
