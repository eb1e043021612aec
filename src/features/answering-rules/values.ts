import type { AnsweringRule } from '../../contract/answering-rule.ts';
import { isJsonObject } from '../../platform/json.ts';
import type { Value, Values } from '../resource-plan/index.ts';

/** The members of a rule that a file can set, with the type of their values. */
export const ruleMembers = {
  name: 'text',
  type: 'text',
  enabled: 'boolean',
  callers: 'list',
  calledNumbers: 'list',
  schedule: 'object',
  callHandlingAction: 'text',
  forwarding: 'object',
  unconditionalForwarding: 'object',
  queue: 'object',
  transfer: 'object',
  voicemail: 'object',
  missedCall: 'object',
  greetings: 'list',
  screening: 'text',
} as const;
export type RuleMember = keyof typeof ruleMembers;
export const ruleMemberNames = Object.keys(ruleMembers) as readonly RuleMember[];

/** The published defaults of members that a reply may omit. */
const defaults: Values = { type: 'Custom', screening: 'Off' };

/** The published defaults of a rule, with those of the members of its objects. */
export const ruleDefaults: Values = {
  ...defaults,
  forwarding: { softPhonesAlwaysRing: true },
  queue: {
    holdTimeExpirationAction: 'Voicemail',
    wrapUpTime: 15,
    positionInQueue: { playbackFrequency: 'EveryInterval' },
  },
};

/**
 * Returns the settings of a rule with the defaults of members that the reply omits. Objects are as in the reply, because
 * an undo sends them.
 */
export function valuesOf(rule: AnsweringRule): Values {
  const values = givenValuesOf(rule);
  const omitted = Object.entries(defaults).filter(([name]) => values[name] === null);
  return { ...values, ...Object.fromEntries(omitted) };
}

/** Returns the members of a rule as settings. An empty list counts as absent. The week is in the form of `plainWeek`. */
export function givenValuesOf(rule: AnsweringRule): Values {
  const members: Readonly<Partial<Record<RuleMember, unknown>>> = rule;
  return plainWeek(
    Object.fromEntries(
      ruleMemberNames.map((name) => {
        const value = (members[name] ?? null) as Value;
        return [name, Array.isArray(value) && value.length === 0 ? null : value];
      }),
    ),
  );
}

/**
 * Returns settings whose times of day have no zero seconds and whose ranges of each day are in order, because a service
 * may return a week in another form than the form of the request.
 */
export function plainWeek(values: Values): Values {
  const schedule = values['schedule'];
  const week = weekOf(schedule);
  if (week === undefined) return values;
  const days = Object.entries(week).map(([day, ranges]) => [day, plainRanges(ranges)]);
  return {
    ...values,
    schedule: { ...(schedule as Values), weeklyRanges: Object.fromEntries(days) as Values },
  };
}

function plainRanges(ranges: Value): Value {
  if (!Array.isArray(ranges)) return ranges;
  return (ranges as readonly Value[])
    .map((range) =>
      isJsonObject(range)
        ? Object.fromEntries(Object.entries(range).map(([name, time]) => [name, withoutZeroSeconds(time)]))
        : range,
    )
    .toSorted((one, other) => (rangeText(one) < rangeText(other) ? -1 : 1));
}

function withoutZeroSeconds(time: Value): Value {
  return typeof time === 'string' ? time.replace(/^(\d\d:\d\d):00$/, '$1') : time;
}

function rangeText(range: Value): string {
  const { from, to } = isJsonObject(range) ? range : {};
  return JSON.stringify([from, to]);
}

/** Whether the service can remove the value of a setting: only a list can be sent without a value (RULE-5). */
export function canRemove(setting: string): boolean {
  return Object.hasOwn(ruleMembers, setting) && ruleMembers[setting as RuleMember] === 'list';
}

/**
 * Returns the body of a request that sets these values. An absent list is sent as an empty list; other absent values
 * cannot be sent. A member of an object that is null is omitted, which removes it.
 */
export function bodyOf(values: Values): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]): readonly (readonly [string, Value])[] => {
      if (value !== null) return [[name, withoutNulls(value)]];
      return canRemove(name) ? [[name, []]] : [];
    }),
  );
}

function withoutNulls(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly Value[]).map(withoutNulls);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

/**
 * Returns the schedule of a file with null for each day that the rule has, but the week of the file does not name. A week
 * names all of its open days, so these days close.
 */
export function closingDays(wanted: Value | undefined, present: Value | undefined): Value | undefined {
  const own = weekOf(wanted);
  if (own === undefined) return wanted;
  const closed = Object.keys(weekOf(present) ?? {}).filter((day) => !(day in own));
  if (closed.length === 0) return wanted;
  const week = { ...own, ...Object.fromEntries(closed.map((day) => [day, null])) };
  return { ...(wanted as Values), weeklyRanges: week };
}

function weekOf(schedule: Value | undefined): Values | undefined {
  const week = isJsonObject(schedule) ? schedule['weeklyRanges'] : undefined;
  return isJsonObject(week) ? week : undefined;
}

/** Returns a rule as an item of a file for `rule apply`. Absent lists are empty, other absent settings are omitted. */
export function ruleItem(
  extensionId: string,
  rule: AnsweringRule,
): { readonly extension: string; readonly rule: string } {
  const values = givenValuesOf(rule);
  const settings = ruleMemberNames.filter((name) => canRemove(name) || (values[name] ?? null) !== null);
  return {
    extension: extensionId,
    rule: rule.id,
    ...Object.fromEntries(settings.map((name) => [name, values[name] ?? []])),
  };
}
