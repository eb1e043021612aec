import { callHandlingActions, screenings } from '../../contract/answering-rule.ts';
import { ruleTypes } from '../../contract/enums.ts';
import { weekdays } from '../../contract/business-hours.ts';
import { readInstant } from '../../platform/moment.ts';
import { suggest } from '../../platform/suggest.ts';
import type { Value } from '../resource-plan/index.ts';
import { lookupTable } from '../../platform/lookup-table.ts';

/** The permitted values of settings that are a choice. */
const choices: Readonly<Record<string, readonly string[]>> = lookupTable({
  type: ruleTypes,
  callHandlingAction: callHandlingActions,
  screening: screenings,
});
/** The members of each entry of a list, which are all texts; the first one is a phone number. */
const entryMembers: Readonly<Record<string, readonly string[]>> = lookupTable({
  callers: ['callerId', 'name'],
  calledNumbers: ['phoneNumber'],
});
const scheduleRefs = ['BusinessHours', 'AfterHours'];
const timeOfDay = /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$|^24:00(?::00)?$/;

/** Returns the problems of a setting of a rule, such as a day that does not exist. */
export function problemsOfSetting(name: string, value: Value): readonly string[] {
  const allowed = choices[name];
  if (allowed !== undefined) return choiceProblems(`"${name}"`, value, allowed);
  const members = entryMembers[name];
  if (members !== undefined && Array.isArray(value))
    return value.flatMap((entry: Value) => entryProblems(`"${name}"`, entry, members));
  return name === 'schedule' ? scheduleProblems(value) : [];
}

function entryProblems(list: string, entry: Value, known: readonly string[]): readonly string[] {
  const [first] = known;
  const members = Object.entries(membersOf(entry));
  if (members.length === 0)
    return [`each entry of ${list} must be a mapping such as ${first}: "+14155550100", not ${shown(entry)}`];
  return members.flatMap(([member, value]): readonly string[] => {
    if (!known.includes(member)) return [unknownName(`member of ${list}`, member, known)];
    return typeof value === 'string'
      ? []
      : [`${list}: "${member}" must be text in quotes, not ${shown(value)}`];
  });
}

function choiceProblems(what: string, value: Value, allowed: readonly string[]): readonly string[] {
  if (typeof value === 'string' && allowed.includes(value)) return [];
  return [`${what} must be one of ${allowed.join(', ')}, not ${shown(value)}${meant(value, allowed)}`];
}

function scheduleProblems(schedule: Value): readonly string[] {
  return Object.entries(membersOf(schedule)).flatMap(([name, value]): readonly string[] => {
    if (value === null) return [];
    if (name === 'ref') return choiceProblems('"ref" of the schedule', value, scheduleRefs);
    if (name === 'ranges')
      return rangesProblems('"ranges"', value, instantOf, 'a time such as 2026-12-24T00:00:00Z');
    if (name === 'weeklyRanges') return weekProblems(value);
    return [unknownName('member of the schedule', name, ['weeklyRanges', 'ranges', 'ref'])];
  });
}

function weekProblems(week: Value): readonly string[] {
  return Object.entries(membersOf(week)).flatMap(([day, ranges]): readonly string[] => {
    if (!(weekdays as readonly string[]).includes(day)) return [unknownName('day', day, weekdays)];
    return ranges === null ? [] : rangesProblems(day, ranges, minuteOf, 'a time such as 09:00');
  });
}

/**
 * @param read returns a number for the start or end of a range, greater for a later time; undefined if the text is
 * not valid
 */
function rangesProblems(
  what: string,
  ranges: Value,
  read: (text: Value | undefined) => number | undefined,
  form: string,
): readonly string[] {
  if (!Array.isArray(ranges)) return [`${what} must be a list of ranges with "from" and "to"`];
  return (ranges as readonly Value[]).flatMap((range): readonly string[] => {
    const { from, to, ...others } = membersOf(range);
    const [start, end] = [read(from), read(to)];
    const [other] = Object.keys(others);
    if (other !== undefined) return [unknownName(`member of a range of ${what}`, other, ['from', 'to'])];
    if (start === undefined) return [`${what}: "from" must be ${form}, not ${shown(from ?? null)}`];
    if (end === undefined) return [`${what}: "to" must be ${form}, not ${shown(to ?? null)}`];
    return start < end
      ? []
      : [`${what}: the range ${shown(from ?? null)} to ${shown(to ?? null)} ends before it begins`];
  });
}

function minuteOf(text: Value | undefined): number | undefined {
  if (typeof text !== 'string' || !timeOfDay.test(text)) return undefined;
  const [hours = 0, minutes = 0, seconds = 0] = text.split(':').map(Number);
  return hours * 60 + minutes + seconds / 60;
}

function instantOf(text: Value | undefined): number | undefined {
  return typeof text === 'string' ? readInstant(text) : undefined;
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  return `unknown ${what} "${name}"${meant(name, known)}; known: ${known.join(', ')}`;
}

function meant(value: Value, known: readonly string[]): string {
  const [near] = typeof value === 'string' ? suggest(value, known) : [];
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

function shown(value: Value): string {
  return value === null ? 'empty' : JSON.stringify(value);
}

function membersOf(value: Value): { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as { readonly [name: string]: Value })
    : {};
}
