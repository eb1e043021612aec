import type { OptionSpec } from '../runtime/command-description.ts';
import { usageError } from '../errors/command.ts';
import { flagOf, joinedValueFlags, nameForPeople, valueName } from './flags.ts';
import { monthsHint, secondsIn, unitSeconds } from '../platform/duration.ts';
import { suggest } from '../platform/suggest.ts';

/** The parsed value of one option: absent, a switch, or texts in the order given. */
export type RawValue = boolean | readonly string[] | undefined;

/** Decides whether a missing value is requested later. Otherwise, a missing required value is an error. */
export type AsksFor = (key: string, option: OptionSpec) => boolean;

/**
 * Checks the texts of the command line and converts them for the handler. Options that were not given and have no
 * default are absent; a list that was not given is empty. `example` is a complete command line, shown when an option is missing.
 * @throws {CommandError} `usage`, naming the option and what it accepts.
 */
export function optionValues(
  table: Readonly<Record<string, OptionSpec>>,
  raw: (key: string) => RawValue,
  example?: string,
  asksFor?: AsksFor,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  const given = new Set<string>();
  for (const [key, option] of Object.entries(table)) {
    const found = raw(key);
    if (found !== undefined && !(Array.isArray(found) && found.length === 0)) given.add(key);
    const value = optionValue(key, option, found);
    if (value !== undefined) values[key] = value;
    if (option.required && !given.has(key) && !asksFor?.(key, option)) throw missing(key, option, example);
  }
  askForAlternatives(table, given, asksFor);
  checkConflicts(table, given);
  checkRequired(table, given);
  return values;
}

type Options = Readonly<Record<string, OptionSpec>>;

/** Requests each option with alternatives if neither the option nor an alternative was given. */
function askForAlternatives(table: Options, given: ReadonlySet<string>, asksFor: AsksFor | undefined): void {
  if (!asksFor) return;
  for (const [key, option] of Object.entries(table)) {
    const { requiredUnless } = option;
    if (requiredUnless && ![key, ...requiredUnless].some((name) => given.has(name))) asksFor(key, option);
  }
}

function checkConflicts(table: Options, given: ReadonlySet<string>): void {
  for (const [key, option] of Object.entries(table)) {
    const other = option.conflicts?.find((name) => given.has(key) && given.has(name));
    const otherOption = other === undefined ? undefined : table[other];
    if (other !== undefined && otherOption) {
      throw usageError(
        `${nameForPeople(key, option)} and ${nameForPeople(other, otherOption)} cannot be used together`,
        'remove one of them',
      );
    }
  }
}

function checkRequired(table: Options, given: ReadonlySet<string>): void {
  for (const [key, option] of Object.entries(table)) {
    if (option.requires === undefined || !given.has(key) || given.has(option.requires)) continue;
    const [flag, needed] = [flagOf(key), flagOf(option.requires)];
    throw usageError(`${flag} requires ${needed}`, `add ${needed}, or remove ${flag}`);
  }
}

function missing(key: string, option: OptionSpec, example: string | undefined): Error {
  const how = option.positional ? valueName(key, option) : `${flagOf(key)} ${valueName(key, option)}`;
  // The summary continues a sentence, so it begins in lower case unless it begins with an abbreviation.
  const meaning = option.summary.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
  const isNamed = (choice: string): boolean => option.summary.includes(choice);
  const choices = 'choices' in option ? (option.choices ?? []) : [];
  const values = choices.some(isNamed) || choices.length === 0 ? '' : ` (one of: ${choices.join(', ')})`;
  return usageError(`${how} is missing: ${meaning}${values}`, example);
}

function optionValue(key: string, option: OptionSpec, found: RawValue): unknown {
  if (option.type === 'boolean') return typeof found === 'boolean' ? found : undefined;
  const texts = Array.isArray(found) ? (found as readonly string[]) : [];
  if (option.type === 'list') return listValue(key, option, texts);
  if (texts.length > 1) {
    throw usageError(
      `${nameForPeople(key, option)} is specified ${texts.length} times`,
      'use the flag only once',
    );
  }
  const [text] = texts;
  if (text === undefined) return option.default;
  if (text === '' && joinedValueFlags.has(flagOf(key))) return text;
  const name = nameForPeople(key, option);
  if (option.type === 'integer') return integerValue(name, option, text);
  if (option.type === 'duration') return durationValue(name, option, text);
  // An unset variable of a script must not remove a filter, or be a key.
  if (text === '' && !option.isEmptyAllowed) throw emptyValue(key, option);
  return option.choices ? choiceOf(name, option.choices, text) : text;
}

function listValue(
  key: string,
  option: Extract<OptionSpec, { type: 'list' }>,
  texts: readonly string[],
): readonly string[] {
  const items = option.commas === false ? texts : texts.flatMap((text) => text.split(','));
  const values = items.map((item) => item.trim()).filter((item) => item !== '');
  // A list without values would select everything.
  if (texts.length > 0 && values.length === 0) throw emptyValue(key, option);
  const { choices } = option;
  return choices ? values.map((item) => choiceOf(nameForPeople(key, option), choices, item)) : values;
}

function emptyValue(key: string, option: OptionSpec): Error {
  const name = nameForPeople(key, option);
  return usageError(
    `${name}: the value is empty`,
    option.required ? 'specify a value' : `specify a value, or omit ${name}`,
  );
}

/** Compares choices ignoring case. The handler receives the spelling of the spec. */
function choiceOf(name: string, choices: readonly string[], text: string): string {
  const wanted = text.toLowerCase();
  const choice = choices.find((one) => one.toLowerCase() === wanted);
  if (choice !== undefined) return choice;
  const near = suggest(
    wanted,
    choices.map((one) => one.toLowerCase()),
  );
  const meant = choices.filter((one) => near.includes(one.toLowerCase()));
  throw usageError(
    `${name}: "${text}" is not a valid value`,
    meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : `one of: ${choices.join(', ')}`,
  );
}

function integerValue(
  name: string,
  { min, max }: { readonly min?: number; readonly max?: number },
  text: string,
): number {
  const value = Number(text);
  if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value)) {
    throw usageError(`${name}: "${text}" is not a whole number`, integerHint(min, max));
  }
  if ((min !== undefined && value < min) || (max !== undefined && value > max)) {
    throw usageError(`${name}: ${text} is out of range`, integerHint(min, max));
  }
  return value;
}

function durationValue(
  name: string,
  { minSeconds, maxSeconds }: { readonly minSeconds?: number; readonly maxSeconds?: number },
  text: string,
): number {
  const seconds = secondsIn(text);
  if (Number.isNaN(seconds)) {
    throw usageError(
      `${name}: "${text}" is not a valid duration`,
      monthsHint(text) ?? 'use a duration such as 90s, 15m, 2h, 7d or 2w',
    );
  }
  if (
    (minSeconds !== undefined && seconds < minSeconds) ||
    (maxSeconds !== undefined && seconds > maxSeconds)
  ) {
    throw usageError(
      `${name}: ${text} is out of range`,
      `use a duration ${rangeText(minSeconds, maxSeconds, spanText)}`,
    );
  }
  return seconds;
}

function integerHint(min: number | undefined, max: number | undefined): string {
  const isBounded = min !== undefined || max !== undefined;
  return `use a whole number${isBounded ? ` ${rangeText(min, max, String)}` : ''}`;
}

/** Formats a range as a text that follows a noun: `from 1 to 9`, `of at least 1`. */
function rangeText(
  min: number | undefined,
  max: number | undefined,
  show: (value: number) => string,
): string {
  if (min !== undefined && max !== undefined) return `from ${show(min)} to ${show(max)}`;
  return min === undefined ? `of at most ${show(max ?? 0)}` : `of at least ${show(min)}`;
}

/** Formats seconds in the largest unit that divides them evenly. */
export function spanText(seconds: number): string {
  const unit = ['d', 'h', 'm'].find((one) => seconds > 0 && seconds % (unitSeconds[one] ?? 1) === 0) ?? 's';
  return `${seconds / (unitSeconds[unit] ?? 1)}${unit}`;
}
