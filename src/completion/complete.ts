import type { OfferedValues } from '../runtime/command-description.ts';
import type { CommandEntry, CompletionTable, FlagEntry, NounEntry, ValueEntry } from './table.ts';
import type { ValueKind } from '../cli/value-kind.ts';
import type { KnownValue } from '../platform/known-values.ts';

/** A candidate for the word at the cursor. */
export interface Candidate {
  readonly value: string;
  readonly about?: string | undefined;
}

/** The candidates for the word at the cursor. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** Set if the shell completes names of files or folders itself. */
  readonly paths?: 'files' | 'folders';
}

/** The values of the flags before the cursor, by the long name of the flag. */
export type GivenValues = ReadonlyMap<string, string>;

/** Looks up completion values that depend on the profile, such as queue names. */
export interface LiveValues {
  /** Variable values such as profiles and queues. */
  readonly valuesOf: (kind: ValueKind, given: GivenValues) => readonly KnownValue[];
  readonly dialectOf: (given: GivenValues) => keyof OfferedValues;
}

/**
 * Finds the candidates for the word at the cursor.
 * @param before the words between `ucctl` and the word at the cursor.
 * @param current the word at the cursor, up to the cursor.
 */
export function complete(
  table: CompletionTable,
  before: readonly string[],
  current: string,
  live: LiveValues,
): Completion {
  if (before[0] === 'help') return named(helpWords(table, before.slice(1)), current);
  const { noun, command } = commandOf(table, before);
  const flags = flagsOf(table, command);
  const read = readWords(before, flags, command?.path.length ?? (noun ? 1 : 0));
  const valueOf: ValueOf = (entry, text, lead) =>
    values(
      inDialect(entry, () => live.dialectOf(read.given)),
      text,
      lead,
      (kind) =>
        kind === 'commands' ? commandWords(table, read.words.slice(1)) : live.valuesOf(kind, read.given),
    );
  if (read.pending) return valueOf(read.pending, current, '');
  const ofFlag = read.onlyPositionals ? undefined : flagCompletion(flags, read.given, current, valueOf);
  if (ofFlag) return ofFlag;
  if (!noun) return named(firstWords(table), current);
  const further = command && read.positionals > 0 ? [] : nextWords(noun, command?.path ?? [noun.name]);
  const position = command && openPosition(command, read.positionals);
  const own = position ? valueOf(position, current, '') : { candidates: [] };
  return { ...own, candidates: [...named(further, current).candidates, ...own.candidates] };
}

/** Completes the value of a flag or an argument. The candidates begin with `text`, and each is prefixed with `lead`. */
type ValueOf = (entry: ValueEntry, text: string, lead: string) => Completion;

/** Completes a word that begins with a dash: the value after `--flag=`, or flags that are not given yet. */
function flagCompletion(
  flags: readonly FlagEntry[],
  given: GivenValues,
  current: string,
  valueOf: ValueOf,
): Completion | undefined {
  const [, name, text = ''] = /^(--[^=]+)=(.*)$/s.exec(current) ?? [];
  const joined = flags.find((one) => one.name === name);
  if (joined && joined.takes !== 'nothing') return valueOf(joined, text, `${name}=`);
  if (!current.startsWith('-')) return undefined;
  const free = flags.filter((one) => one.again || !given.has(one.name));
  const candidates = free.map((one) => ({ value: one.name, about: one.about }));
  return named(candidates, current);
}

/** Returns the argument that the next word fills; undefined if all arguments are given. */
function openPosition({ positionals }: CommandEntry, given: number): ValueEntry | undefined {
  const position = positionals[Math.min(given, positionals.length - 1)];
  return position && (given < positionals.length || position.many) ? position : undefined;
}

function firstWords(table: CompletionTable): readonly Candidate[] {
  return [
    ...table.nouns.map(({ name, about }) => ({ value: name, about })),
    { value: 'help', about: 'Help on a command or a topic' },
  ];
}

function helpWords(table: CompletionTable, path: readonly string[]): readonly Candidate[] {
  const topics = Object.entries(table.topics).map(([value, about]) => ({ value, about }));
  return [...(path.length === 0 ? topics : []), ...commandWords(table, path)];
}

/** Returns the next words of the commands that begin with `path`. */
function commandWords(table: CompletionTable, path: readonly string[]): readonly Candidate[] {
  const [first] = path;
  if (first === undefined) return table.nouns.map(({ name, about }) => ({ value: name, about }));
  const noun = table.nouns.find(({ name }) => name === first);
  return noun ? nextWords(noun, path) : [];
}

/** Returns the next words of the commands whose paths begin with `path`. */
function nextWords(noun: NounEntry, path: readonly string[]): readonly Candidate[] {
  const found = new Map<string, string>();
  for (const command of noun.commands) {
    const next = command.path[path.length];
    if (command.unlisted || next === undefined || !path.every((word, index) => command.path[index] === word))
      continue;
    if (!found.has(next)) found.set(next, command.about);
  }
  return [...found].map(([value, about]) => ({ value, about }));
}

/** Returns the noun of the typed words, and the command if its name is complete. */
function commandOf(
  table: CompletionTable,
  before: readonly string[],
): { readonly noun?: NounEntry | undefined; readonly command?: CommandEntry | undefined } {
  const path = readWords(before, table.globals, 0).words;
  const noun = table.nouns.find(({ name }) => name === path[0]);
  const command = noun?.commands
    .filter((one) => one.path.every((word, index) => path[index] === word))
    .toSorted((a, b) => b.path.length - a.path.length)[0];
  return { noun, command };
}

/** Returns the flags of a command. A flag of the command overrides a global flag with the same name. */
function flagsOf(table: CompletionTable, command: CommandEntry | undefined): readonly FlagEntry[] {
  if (!command) return table.globals;
  const own = new Set(command.flags.flatMap(({ name, short }) => [name, short]));
  const globals = [
    ...table.globals,
    ...(command.changes ? table.whenChanging : []),
    ...(command.watches ? table.whenWatched : []),
  ];
  const { fields } = command;
  return [
    ...command.flags,
    ...globals
      .filter(({ name }) => !own.has(name))
      .map((flag) => (fields && takesFields.has(flag.name) ? ofFields(flag, fields) : flag)),
  ];
}

function ofFields(flag: FlagEntry, fields: readonly string[]): FlagEntry {
  return { ...flag, choices: fields, commas: true };
}

/** Global flags whose values are fields of the command. */
const takesFields: ReadonlySet<string> = new Set(['--json', '--fields', '--sort']);

interface ReadWords {
  /** Words that are neither flags nor values. */
  readonly words: readonly string[];
  /** Number of words after the path of the command. */
  readonly positionals: number;
  /** The flag whose value the next word is. */
  readonly pending: FlagEntry | undefined;
  readonly given: GivenValues;
  /** Whether `--` was given. */
  readonly onlyPositionals: boolean;
}

function readWords(before: readonly string[], flags: readonly FlagEntry[], pathLength: number): ReadWords {
  const words: string[] = [];
  const given = new Map<string, string>();
  let pending: FlagEntry | undefined;
  let onlyPositionals = false;
  for (const word of before) {
    if (pending) {
      given.set(pending.name, word);
      pending = undefined;
    } else if (onlyPositionals || !word.startsWith('-') || word === '-') words.push(word);
    else if (word === '--') onlyPositionals = true;
    else {
      const { flag, value } = flagIn(word, flags);
      if (flag) given.set(flag.name, value ?? '');
      if (flag?.takes === 'next' && value === undefined) pending = flag;
    }
  }
  return { words, positionals: Math.max(0, words.length - pathLength), pending, given, onlyPositionals };
}

interface GivenFlag {
  readonly flag: FlagEntry | undefined;
  /** The value in the same word. */
  readonly value?: string | undefined;
}

/** Returns the flag that a word gives. `-qp` means `-q -p`, and `-pdemo` means `-p demo`. */
function flagIn(word: string, flags: readonly FlagEntry[]): GivenFlag {
  if (word.startsWith('--')) {
    const [, name = word, value] = /^([^=]*)=(.*)$/s.exec(word) ?? [];
    return { flag: flags.find((one) => one.name === name), value };
  }
  const letters = word
    .slice(1)
    .split('')
    .map((letter) => flags.find(({ short }) => short === `-${letter}`));
  const valued = letters.findIndex((flag) => flag?.takes === 'next');
  if (valued === -1) return { flag: letters.at(-1) };
  return { flag: letters[valued], value: word.slice(valued + 2) || undefined };
}

/** Returns the entry with the choices of the dialect. */
function inDialect(entry: ValueEntry, dialect: () => keyof OfferedValues): ValueEntry {
  return entry.byDialect ? { ...entry, choices: entry.byDialect[dialect()] } : entry;
}

function values(
  entry: ValueEntry,
  text: string,
  lead: string,
  live: (kind: ValueKind) => readonly KnownValue[],
): Completion {
  const comma = entry.commas ? text.lastIndexOf(',') + 1 : 0;
  const start = lead + text.slice(0, comma);
  const typed = text.slice(comma);
  const { kind, choices } = entry;
  if (kind === 'files' || kind === 'folders') return { candidates: [], paths: kind };
  const offered = choices?.map((value) => ({ value })) ?? (kind ? live(kind) : []);
  return {
    candidates: matching(offered, typed).map(({ value, about }) => ({ value: start + value, about })),
  };
}

/**
 * Returns the values that begin with the typed text. If there are none, the value with an alternative name that begins
 * with it: `201` finds the queue Support. If several values have such a name, returns these names, because shells replace
 * the typed text with the common beginning of the candidates. If the values share one name, returns the values.
 */
function matching(offered: readonly KnownValue[], typed: string): readonly Candidate[] {
  const begins = (text: string): boolean => text.toLowerCase().startsWith(typed.toLowerCase());
  const direct = offered.filter(({ value }) => begins(value));
  if (direct.length > 0) return direct.map(({ value, about }) => ({ value, about }));
  const byName = new Map<string, KnownValue[]>();
  for (const one of offered) {
    const name = one.also?.find(begins);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  const [first = [], ...others] = byName.values();
  if (others.length > 0)
    return [...byName].map(([name, same]) => ({
      value: name,
      about: same.map((one) => one.value).join(', '),
    }));
  return first.length > 1
    ? first.map(({ value, also }) => ({ value, about: also?.join(', ') }))
    : first.map(({ value, about }) => ({ value, about }));
}

function named(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}
