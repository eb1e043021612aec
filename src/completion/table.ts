import { joinedValueFlags, flagOf, valueName } from '../cli/flags.ts';
import { globalOptionsFor, ownDryRun, whenChanging, whenWatched } from '../cli/global-options.ts';
import { topics } from '../cli/topics/names.ts';
import { settingKeys } from '../config/setting-keys.ts';
import type { OfferedValues, OptionSpec } from '../runtime/command-description.ts';
import type { AnyCommandSpec, NounSpec } from '../runtime/define.ts';
import { valueKind, type ValueKind } from '../cli/value-kind.ts';

/** The possible values of a flag or argument. */
export interface ValueEntry {
  readonly choices?: readonly string[];
  /** The choices by dialect, in place of `choices`. */
  readonly byDialect?: OfferedValues;
  readonly kind?: ValueKind;
  /** Whether the value is a list, separated by commas. */
  readonly commas?: boolean;
  /** Whether the argument takes all further words. */
  readonly many?: boolean;
}

export interface FlagEntry extends ValueEntry {
  /** Name of the flag, including its dashes. */
  readonly name: string;
  readonly short?: string;
  readonly about: string;
  /** Place of the value of the flag: the next word, or after `=`. A flag without a value has no such place. */
  readonly takes: 'next' | 'joined' | 'nothing';
  /** Whether the flag may be repeated. */
  readonly again?: boolean;
}

export interface CommandEntry {
  readonly path: readonly string[];
  readonly about: string;
  /** Flags of the command, and a global `--dry-run` with another text. */
  readonly flags: readonly FlagEntry[];
  /** Whether the command takes the global flags of commands that make changes. */
  readonly changes: boolean;
  /** Whether the command takes the global flags of commands that support `--watch`. */
  readonly watches: boolean;
  readonly positionals: readonly ValueEntry[];
  /** Fields of the JSON output, for `--json=`, `--fields` and `--sort`; absent if the fields are not fixed. */
  readonly fields?: readonly string[];
  /** Whether its name is not offered. */
  readonly unlisted?: true;
}

export interface NounEntry {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly CommandEntry[];
}

/**
 * The data for completion. It is created at build time, so that completion does not load the program or the specs of
 * its commands.
 */
export interface CompletionTable {
  readonly nouns: readonly NounEntry[];
  readonly topics: Readonly<Record<string, string>>;
  /** Global flags of every command. */
  readonly globals: readonly FlagEntry[];
  /** Further global flags of commands that make changes. */
  readonly whenChanging: readonly FlagEntry[];
  /** Further global flags of commands that support `--watch`. */
  readonly whenWatched: readonly FlagEntry[];
}

/** Creates the completion table of a registry. */
export function completionTable(nouns: readonly NounSpec[]): CompletionTable {
  return {
    nouns: nouns.map(({ name, summary, commands }) => ({
      name,
      about: summary,
      commands: commands.map(commandEntry),
    })),
    topics,
    globals: flagEntries(globalOptionsFor(undefined), []),
    whenChanging: flagEntries(whenChanging, []),
    whenWatched: flagEntries(whenWatched, []),
  };
}

function commandEntry(spec: AnyCommandSpec): CommandEntry {
  const own = Object.entries(spec.options);
  const fields = spec.output?.fields ?? [];
  return {
    path: spec.path,
    about: spec.summary,
    ...(spec.unlisted && { unlisted: true }),
    flags: flagEntries({ ...spec.options, ...ownDryRun(spec) }, spec.path),
    changes: Boolean(spec.mutates),
    watches: Boolean(spec.watch),
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
  return mayStandAlone || joinedValueFlags.has(name) ? 'joined' : 'next';
}

function valueEntry(path: readonly string[], key: string, option: OptionSpec): ValueEntry {
  if (option.type === 'boolean') return {};
  const { offered } = option;
  const [byDialect, values] = offered && 'spec' in offered ? [offered] : [undefined, offered];
  const word = valueName(key, option);
  const choices = values ?? ('choices' in option ? option.choices : settingNames(path, word));
  const kind = valueKind(path, key, option);
  return {
    ...(choices ? { choices } : kind && { kind }),
    ...(byDialect && { byDialect }),
    ...(option.type === 'list' &&
      (option.positional ? { many: true } : { commas: (option.commas ?? true) || word.endsWith(',...') })),
  };
}

/** Returns the names of the settings for the argument KEY of `ucctl config`. A name without a setting gets a message of the command, so it is not invalid. */
function settingNames([noun]: readonly string[], word: string): readonly string[] | undefined {
  return noun === 'config' && word === 'KEY' ? Object.values(settingKeys).map(({ key }) => key) : undefined;
}
