import type { CommandEntry, CompletionTable, FlagEntry, NounEntry, ValueEntry } from './table.ts';
import type { ValueKind } from './value-kind.ts';
import type { KnownValue } from '../platform/known-values.ts';

/** One thing that may stand at the cursor, in place of the word there. */
export interface Candidate {
  readonly value: string;
  readonly about?: string | undefined;
}

/** What may stand at the cursor. */
export interface Completion {
  readonly candidates: readonly Candidate[];
  /** The shell completes names of files or folders itself. */
  readonly paths?: 'files' | 'folders';
}

/** Looks up values that change: profiles, queues and the like. `words` is what stands before the cursor. */
export type LiveValues = (kind: ValueKind, words: readonly string[]) => readonly KnownValue[];

/**
 * What may stand at the cursor.
 * @param before the words between `ucctl` and the one at the cursor.
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
    values(entry, text, lead, (kind) => live(kind, [...before, current]));
  if (read.pending) return valueOf(read.pending, current, '');
  const ofFlag = read.onlyPositionals ? undefined : flagCompletion(flags, read.given, current, valueOf);
  if (ofFlag) return ofFlag;
  if (!noun) return named(firstWords(table), current);
  const further = command && read.positionals > 0 ? [] : nextWords(noun, command?.path ?? [noun.name]);
  const position = command && openPosition(command, read.positionals);
  const own = position ? valueOf(position, current, '') : { candidates: [] };
  return { ...own, candidates: [...named(further, current).candidates, ...own.candidates] };
}

/** The values of a flag or an argument that begin with a text, each after `lead`. */
type ValueOf = (entry: ValueEntry, text: string, lead: string) => Completion;

/** For a word that begins with a dash: the value after `--flag=`, or the flags that may still be given. */
function flagCompletion(
  flags: readonly FlagEntry[],
  given: ReadonlySet<string>,
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

/** The argument that the next word belongs to; undefined when all are given. */
function openPosition({ positionals }: CommandEntry, given: number): ValueEntry | undefined {
  const position = positionals[Math.min(given, positionals.length - 1)];
  return position && (given < positionals.length || position.many) ? position : undefined;
}

function firstWords(table: CompletionTable): readonly Candidate[] {
  return [
    ...table.nouns.map(({ name, about }) => ({ value: name, about })),
    { value: 'help', about: 'Help on a command or a topic' },
    { value: 'version', about: 'Show the version' },
  ];
}

function helpWords(table: CompletionTable, path: readonly string[]): readonly Candidate[] {
  const [first] = path;
  if (first === undefined) {
    const topics = Object.entries(table.topics).map(([value, about]) => ({ value, about }));
    return [...topics, ...table.nouns.map(({ name, about }) => ({ value: name, about }))];
  }
  const noun = table.nouns.find(({ name }) => name === first);
  return noun ? nextWords(noun, path) : [];
}

/** The words that lead from a path on towards a command. */
function nextWords(noun: NounEntry, path: readonly string[]): readonly Candidate[] {
  const found = new Map<string, string>();
  for (const command of noun.commands) {
    const next = command.path[path.length];
    if (next === undefined || !path.every((word, index) => command.path[index] === word)) continue;
    if (!found.has(next)) found.set(next, command.about);
  }
  return [...found].map(([value, about]) => ({ value, about }));
}

/** The noun and, as far as it is typed, the command. */
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

/** A command's own flags win over those of every command. */
function flagsOf(table: CompletionTable, command: CommandEntry | undefined): readonly FlagEntry[] {
  if (!command) return table.globals;
  const own = new Set(command.flags.flatMap(({ name, short }) => [name, short]));
  const globals = command.changes ? table.globalsWhenChanging : table.globals;
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

/** Flags of every command whose values are the fields of that command. */
const takesFields: ReadonlySet<string> = new Set(['--json', '--fields']);

interface ReadWords {
  /** What is neither flag nor value. */
  readonly words: readonly string[];
  /** How many of those come after the path of the command. */
  readonly positionals: number;
  /** The flag that the next word is the value of. */
  readonly pending: FlagEntry | undefined;
  readonly given: ReadonlySet<string>;
  /** After `--`. */
  readonly onlyPositionals: boolean;
}

function readWords(before: readonly string[], flags: readonly FlagEntry[], pathLength: number): ReadWords {
  const words: string[] = [];
  const given = new Set<string>();
  let pending: FlagEntry | undefined;
  let onlyPositionals = false;
  for (const word of before) {
    if (pending) pending = undefined;
    else if (onlyPositionals || !word.startsWith('-') || word === '-') words.push(word);
    else if (word === '--') onlyPositionals = true;
    else {
      const flag = flagIn(word, flags);
      if (flag) given.add(flag.name);
      if (flag?.takes === 'next' && !word.includes('=')) pending = flag;
    }
  }
  return { words, positionals: Math.max(0, words.length - pathLength), pending, given, onlyPositionals };
}

/** `-qp` is `-q -p`: what follows is for the last of them. */
function flagIn(word: string, flags: readonly FlagEntry[]): FlagEntry | undefined {
  if (word.startsWith('--')) return flags.find(({ name }) => name === word.split('=')[0]);
  return flags.find(({ short }) => short === `-${word.slice(-1)}`);
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

/** By the value; where none begins so, by what else it is called: `201` finds the queue Support. */
function matching(offered: readonly KnownValue[], typed: string): readonly Candidate[] {
  const begins = (text: string): boolean => text.toLowerCase().startsWith(typed.toLowerCase());
  const direct = offered.filter(({ value }) => begins(value));
  const found = direct.length > 0 ? direct : offered.filter(({ also }) => also?.some(begins));
  return found.map(({ value, about }) => ({ value, about }));
}

function named(candidates: readonly Candidate[], current: string): Completion {
  return { candidates: candidates.filter(({ value }) => value.startsWith(current)) };
}
