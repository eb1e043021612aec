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

/** A problem of a setting. */
export interface SettingProblem {
  readonly text: string;
  /** Path of the value in the setting; empty for the setting itself. */
  readonly path: readonly (string | number)[];
}

/** Returns the problems of a setting of a rule, such as a day that does not exist. */
export function problemsOfSetting(name: string, value: Value): readonly SettingProblem[] {
  const allowed = choices[name];
  if (allowed !== undefined) return choiceProblems(`"${name}"`, value, allowed).map(ofSetting);
  const members = entryMembers[name];
  if (members !== undefined && Array.isArray(value))
    return value.flatMap((entry: Value) => entryProblems(`"${name}"`, entry, members)).map(ofSetting);
  return name === 'schedule' ? scheduleProblems(value) : [];
}

function ofSetting(text: string): SettingProblem {
  return { text, path: [] };
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

function scheduleProblems(schedule: Value): readonly SettingProblem[] {
  return Object.entries(membersOf(schedule)).flatMap(([name, value]): readonly SettingProblem[] => {
    if (value === null) return [];
    if (name === 'ref') return choiceProblems('"ref" of the schedule', value, scheduleRefs).map(ofSetting);
    if (name === 'ranges') return rangesProblems(value, { what: '"ranges"', path: ['ranges'], ...instants });
    if (name === 'weeklyRanges') return weekProblems(value);
    return [ofSetting(unknownName('member of the schedule', name, ['weeklyRanges', 'ranges', 'ref']))];
  });
}

function weekProblems(week: Value): readonly SettingProblem[] {
  return Object.entries(membersOf(week)).flatMap(([day, ranges]): readonly SettingProblem[] => {
    if (!(weekdays as readonly string[]).includes(day)) return [ofSetting(unknownName('day', day, weekdays))];
    if (ranges === null) return [];
    return rangesProblems(ranges, { what: day, path: ['weeklyRanges', day], ...timesOfDay });
  });
}

/** The times of a range. `read` returns a number, greater for a later time; undefined if the text is not valid. */
interface TimeForm {
  readonly read: (text: Value | undefined) => number | undefined;
  readonly form: string;
}

const instants: TimeForm = {
  read: instantOf,
  form: 'a time with its zone, such as 2026-12-24T00:00:00+01:00',
};
const timesOfDay: TimeForm = { read: minuteOf, form: 'a time such as 09:00' };

interface RangesPlace extends TimeForm {
  readonly what: string;
  /** Path of the list in the schedule. */
  readonly path: readonly string[];
}

function rangesProblems(ranges: Value, { what, path, read, form }: RangesPlace): readonly SettingProblem[] {
  if (!Array.isArray(ranges))
    return [{ text: `${what} must be a list of ranges with "from" and "to"`, path }];
  return (ranges as readonly Value[]).flatMap((range, index): readonly SettingProblem[] => {
    const { from = null, to = null, ...others } = membersOf(range);
    const own = [...path, index];
    const [other] = Object.keys(others);
    if (other !== undefined)
      return [{ text: unknownName(`member of a range of ${what}`, other, ['from', 'to']), path: own }];
    const invalid = Object.entries({ from, to }).flatMap(([name, value]) =>
      read(value) === undefined
        ? [{ text: `"${name}" must be ${form}, not ${shown(value)}`, path: [...own, name] }]
        : [],
    );
    const [start = 0, end = 0] = [read(from), read(to)];
    if (invalid.length > 0 || start < end) return invalid;
    return [{ text: `the range ${shown(from)} to ${shown(to)} ends before it begins`, path: own }];
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
