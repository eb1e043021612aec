import { bareFlags, flagOf, valueName } from '../cli/flags.ts';
import { globalOptionsFor } from '../cli/global-options.ts';
import { topics } from '../cli/topics/names.ts';
import type { OptionSpec } from '../runtime/command-description.ts';
import type { AnyCommandSpec, NounSpec } from '../runtime/define.ts';
import { valueKind, type ValueKind } from './value-kind.ts';

/** What may stand where a value is expected. */
export interface ValueEntry {
  readonly choices?: readonly string[];
  readonly kind?: ValueKind;
  /** Several, separated by commas. */
  readonly commas?: boolean;
  /** A positional that takes all further words. */
  readonly many?: boolean;
}

export interface FlagEntry extends ValueEntry {
  /** With its dashes. */
  readonly name: string;
  readonly short?: string;
  readonly about: string;
  /** How a value is given: in the next word, only joined by `=`, or not at all. */
  readonly takes: 'next' | 'joined' | 'nothing';
  /** May be given again. */
  readonly again?: boolean;
}

export interface CommandEntry {
  readonly path: readonly string[];
  readonly about: string;
  /** Its own; those of every command come to them. */
  readonly flags: readonly FlagEntry[];
  /** Whether it has the flags of commands that change something. */
  readonly changes: boolean;
  readonly positionals: readonly ValueEntry[];
  /** Fields of its JSON output, for `--json=` and `--fields`; absent where they are not fixed. */
  readonly fields?: readonly string[];
}

export interface NounEntry {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly CommandEntry[];
}

/** All that completion knows of the tool. Made at build time, so that it needs neither the program nor the specs. */
export interface CompletionTable {
  readonly nouns: readonly NounEntry[];
  readonly topics: Readonly<Record<string, string>>;
  /** Flags of every command. */
  readonly globals: readonly FlagEntry[];
  /** Flags of every command that changes something, those of every command among them. */
  readonly globalsWhenChanging: readonly FlagEntry[];
}

/** The table of a registry. */
export function completionTable(nouns: readonly NounSpec[]): CompletionTable {
  return {
    nouns: nouns.map(({ name, summary, commands }) => ({
      name,
      about: summary,
      commands: commands.map(commandEntry),
    })),
    topics,
    globals: flagEntries(globalOptionsFor(undefined), []),
    globalsWhenChanging: flagEntries(globalOptionsFor(changing), []),
  };
}

/** Any command that changes something. */
const changing: AnyCommandSpec = {
  path: ['x'],
  summary: '',
  options: {},
  examples: [],
  mutates: true,
  load: () => Promise.reject(new Error('never run')),
};

function commandEntry(spec: AnyCommandSpec): CommandEntry {
  const own = Object.entries(spec.options);
  const fields = spec.output?.fields ?? spec.jsonFields ?? [];
  return {
    path: spec.path,
    about: spec.summary,
    flags: flagEntries(spec.options, spec.path),
    changes: Boolean(spec.mutates),
    positionals: own
      .filter(([, option]) => option.positional)
      .map(([key, option]) => valueEntry(spec.path, key, option)),
    ...(fields.length > 0 && { fields }),
  };
}

function flagEntries(
  table: Readonly<Record<string, OptionSpec>>,
  path: readonly string[],
): readonly FlagEntry[] {
  return Object.entries(table)
    .filter(([, option]) => !option.positional)
    .flatMap(([key, option]) => {
      const name = flagOf(key);
      const entry: FlagEntry = {
        name,
        ...(option.short !== undefined && { short: `-${option.short}` }),
        about: option.summary,
        takes: takes(name, option),
        ...(option.type === 'list' && { again: true }),
        ...valueEntry(path, key, option),
      };
      const negated = option.type === 'boolean' && option.negatable;
      return negated ? [entry, { ...entry, name: name.replace('--', '--no-') }] : [entry];
    });
}

function takes(name: string, option: OptionSpec): FlagEntry['takes'] {
  if (option.type === 'boolean') return 'nothing';
  const mayStandAlone = option.type === 'string' && option.alone !== undefined;
  return mayStandAlone || bareFlags.has(name) ? 'joined' : 'next';
}

function valueEntry(path: readonly string[], key: string, option: OptionSpec): ValueEntry {
  if (option.type === 'boolean') return {};
  const choices = 'choices' in option ? option.choices : undefined;
  const kind = valueKind(path, key, valueName(key, option));
  return {
    ...(choices ? { choices } : kind && { kind }),
    ...(option.type === 'list' && (option.positional ? { many: true } : { commas: option.commas ?? true })),
  };
}
