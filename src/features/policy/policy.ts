import type { Settings } from '../../runtime/settings.ts';
import type { Action } from '../../runtime/policy.ts';
import { wasOrWere } from '../../platform/counted.ts';
import { isE164, splitAtTrunkZero, withoutSeparators } from '../../platform/e164.ts';
import { unknownMachineZone, zoneOfProcess } from '../../platform/machine-zone.ts';
import { inQuietHours, readQuietHours, type QuietHours } from '../../platform/quiet-hours.ts';

/** The rules of a profile. */
export interface Policy {
  /** Prefixes of numbers that may be called or texted; empty to allow all numbers. */
  readonly allow: readonly string[];
  /** Prefixes of numbers that must not be called or texted. They have precedence over `allow`. */
  readonly forbid: readonly string[];
  /** Time of day without calls and texts. */
  readonly quietHours: QuietHours | undefined;
  /** The value of TZ if the time zone of this machine is unknown. */
  readonly unknownZone?: string | undefined;
  /** Maximum number of messages and calls in any sixty minutes. */
  readonly maxPerHour: number | undefined;
  /** Whether every change is blocked. */
  readonly readOnly: boolean;
}

/** Creates the policy of a profile from its settings. `tz` is the variable TZ, and `now` the current time in milliseconds since 1970. */
export function policyOf(
  settings: Settings,
  { tz, now }: { readonly tz: string | undefined; readonly now: number },
): Policy {
  const quiet = settings.quietHours.value;
  return {
    allow: settings.allowPrefixes.value,
    forbid: settings.forbidPrefixes.value,
    quietHours: quiet === undefined ? undefined : readQuietHours(quiet),
    unknownZone: quiet === undefined ? undefined : unknownMachineZone(tz, zoneOfProcess(now)),
    maxPerHour: settings.maxPerHour.value,
    readOnly: settings.readOnly.value,
  };
}

/** The time and the counts that rules depend on. */
export interface PolicyContext {
  /** The current time in milliseconds since 1970. */
  readonly now: number;
  /** Number of messages and calls in the last sixty minutes. */
  readonly sentLastHour: number;
}

/** Returns the reason why a rule blocks an action; undefined if the action is allowed. */
export function violationOf(policy: Policy, action: Action, context: PolicyContext): string | undefined {
  if (policy.readOnly) return 'the profile is read-only';
  if (action.kind === 'write') return undefined;
  return (
    forbiddenNumber(policy, action) ??
    quietViolation(policy, action, context.now) ??
    uncountedViolation(policy, action) ??
    hourlyViolation(policy.maxPerHour, action.count ?? 1, context.sentLastHour)
  );
}

function uncountedViolation({ maxPerHour }: Policy, { isUncounted }: Action): string | undefined {
  if (maxPerHour === undefined || isUncounted !== true) return undefined;
  return 'the policy limits the messages per hour, but ucctl cannot count the recipients in the request';
}

/** Returns the reason why `count` more messages exceed the hourly limit; undefined if they are within the limit. */
export function hourlyViolation(
  maxPerHour: number | undefined,
  count: number,
  sentLastHour: number,
): string | undefined {
  if (maxPerHour === undefined || count === 0 || sentLastHour + count <= maxPerHour) return undefined;
  return `the limit is ${maxPerHour} messages and calls per hour; ${sentLastHour} ${wasOrWere(sentLastHour)} sent in the last hour, and this request adds ${count} more`;
}

/** Whether a policy has rules for phone numbers. */
export function hasNumberRules({ allow, forbid }: Policy): boolean {
  return allow.length > 0 || forbid.length > 0;
}

function forbiddenNumber(policy: Policy, { kind, numbers, isUnreadable }: Action): string | undefined {
  const { allow, forbid } = policy;
  // The rules for numbers do not apply to pager messages, which go to extensions of the account.
  if (kind === 'pager' || !hasNumberRules(policy)) return undefined;
  if (isUnreadable)
    return 'the policy has rules for numbers, but ucctl cannot read the phone numbers in the request';
  for (const written of numbers) {
    const number = withoutSeparators(written);
    if (!isE164(number))
      return `"${written}" is not a valid E.164 number, so ucctl cannot apply the rules for numbers`;
    const bad = forbid.find((prefix) => forbiddenForms(prefix).some((form) => number.startsWith(form)));
    if (bad !== undefined) return `numbers with the prefix ${bad} are forbidden: ${number}`;
    if (allow.length > 0 && !allow.some((prefix) => number.startsWith(prefix))) {
      return `only numbers with the prefixes ${allow.join(', ')} are allowed, not ${number}`;
    }
  }
  return undefined;
}

/** Codes of countries whose numbers begin with a 0 that is not a trunk prefix, such as Italy. */
const codesWithZero = new Set(['+225', '+241', '+242', '+378', '+39']);

/**
 * Returns a forbidden prefix, and its form without a trunk 0, because the compared numbers have none: `+4409` also forbids
 * `+449`.
 */
function forbiddenForms(prefix: string): readonly string[] {
  const [code, rest] = splitAtTrunkZero(prefix) ?? [];
  const isTrunk = code !== undefined && rest !== undefined && rest !== '' && !codesWithZero.has(code);
  return isTrunk ? [prefix, `${code}${rest}`] : [prefix];
}

function quietViolation(
  { quietHours, unknownZone }: Policy,
  { at, isTimeUnreadable }: Action,
  now: number,
): string | undefined {
  if (quietHours && quietHours.zone === undefined && unknownZone !== undefined)
    return `quiet hours: ${quietHours.text}, in an unknown time zone (TZ=${unknownZone}); add the name of the zone to quiet-hours, as in 22:00-07:00 Europe/Berlin`;
  if (quietHours && isTimeUnreadable)
    return `quiet hours: ${quietHours.text}; ucctl cannot read the delivery time in the request`;
  if (!quietHours || !inQuietHours(quietHours, at ?? now)) return undefined;
  return `quiet hours: ${quietHours.text}`;
}
