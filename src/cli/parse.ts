import { Command, type CommanderError, Option } from 'commander';
import type { OptionSpec } from '../runtime/command-description.ts';
import { fieldsOf, type AnyCommandSpec } from '../runtime/define.ts';
import { usageError } from '../errors/command.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';
import { splitArgv } from './argv.ts';
import { flagOf, flagTable, type FlagTable, valueName } from './flags.ts';
import { type GlobalOptions, globalOptionsFor } from './global-options.ts';
import { optionValues, type RawValue } from './option-values.ts';
import { isListed, valueKind, type ListedKind } from './value-kind.ts';
import { shellLine } from '../platform/shell-quoted.ts';
import { suggestFlag } from '../platform/suggest.ts';
import { maskUserInfo } from '../platform/user-info.ts';

export interface ParsedCommand {
  readonly globals: GlobalOptions;
  readonly options: Readonly<Record<string, unknown>>;
  /** Missing values that the user chooses from a list. */
  readonly choices: readonly MissingChoice[];
}

/** The parts of a command's spec that define its command line. */
type Syntax = Pick<
  AnyCommandSpec,
  'options' | 'argumentFlags' | 'examples' | 'output' | 'mutates' | 'watch'
> & {
  readonly path: readonly string[];
};

/** A missing value that the user chooses from a list. */
export interface MissingChoice {
  readonly key: string;
  readonly option: OptionSpec;
  readonly kind: ListedKind;
}

/** Inputs of `parseCommand` apart from the words of the command line. */
export interface ParseSettings {
  readonly flags: FlagTable;
  /** The home folder, to which a shell expands a single `~`. */
  readonly home: string;
  /** Whether a list can be offered for missing values. Called only if a value is missing. */
  readonly canChoose: (globals: GlobalOptions) => boolean;
}

/**
 * Parses the words of one command, without its path.
 * @throws {CommandError} `usage`.
 */
export function parseCommand(
  spec: Syntax,
  words: readonly string[],
  rest: readonly string[] | undefined,
  { flags, home, canChoose }: ParseSettings,
): ParsedCommand {
  checkOtherCommand(spec, words, rest, flags);
  const globals = globalOptionsFor(spec);
  const positionals = Object.entries(spec.options).filter(([, option]) => option.positional);
  const command = quietCommand();
  for (const [key, option] of [...Object.entries(globals), ...Object.entries(spec.options)]) {
    if (!option.positional) addOption(command, key, option);
  }
  for (const [key, option] of positionals) {
    // Required arguments are checked together with the values, which gives a better message than the parser.
    command.argument(option.type === 'list' ? `[${key}...]` : `[${key}]`);
  }
  const after = rest ? ['--', ...rest] : [];
  try {
    command.parse([...words, ...after], { from: 'user' });
  } catch (error) {
    throw toUsageError(error as CommanderError, command, words, spec, flags);
  }

  const parsed: Readonly<Record<string, RawValue>> = command.opts();
  const found = (key: string): RawValue =>
    isNegative(key) ? parsed[key] === false || undefined : parsed[key];
  const byPosition = new Map(
    positionals.map(([key], index) => [key, command.processedArgs[index] as unknown]),
  );
  const globalValues: GlobalOptions = optionValues(globals, found);
  const choices: MissingChoice[] = [];
  return {
    globals: globalValues,
    options: optionValues(
      spec.options,
      (key) => {
        const isExtension = /^(?:EXT|AGENT)/.test(spec.options[key]?.value ?? '');
        const typed = (value: RawValue): RawValue => (isExtension ? asTyped(value, home) : value);
        if (!byPosition.has(key)) return typed(found(key));
        const value = byPosition.get(key);
        return typed(typeof value === 'string' ? [value] : (value as readonly string[] | undefined));
      },
      exampleOf(spec),
      (key, option) => {
        const kind = valueKind(spec.path, key, option);
        const asks = isListed(kind) && canChoose(globalValues);
        if (asks) choices.push({ key, option, kind });
        return asks;
      },
    ),
    choices,
  };
}

/**
 * Checks that flags after the first word of another command follow `--`, because they could belong to both commands.
 * @throws {CommandError} `usage` with the complete command line.
 */
function checkOtherCommand(
  { path, options }: Syntax,
  words: readonly string[],
  rest: readonly string[] = [],
  flags: FlagTable,
): void {
  if (!Object.values(options).some((option) => option.type === 'list' && option.isCommandLine)) return;
  const first = splitArgv(words, flags).positions[0];
  if (first === undefined) return;
  const other = words.slice(first).map((word) => word.replace(/^(--\w+)=$/, '$1'));
  const flag = other.find((word) => word.startsWith('-') && word !== '-');
  if (flag === undefined) return;
  const line = [...path, ...words.slice(0, first), '--', ...other, ...rest];
  throw usageError(
    `the flag ${flag} could belong to ucctl ${path.join(' ')} or to ${other[0] ?? 'the command'}`,
    nextStep`write -- before the command: ${ucctl`${line}`}`,
  );
}

/** Flags of a command line without a command, besides the global flags. */
const rootOptions = {
  version: { type: 'boolean', short: 'V', summary: 'Show the version' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/**
 * Checks a command line without a verb, which accepts only global flags. The path is empty or a noun, and the words do not include it.
 * @throws {CommandError} `usage`.
 */
export function checkGlobalFlags(
  path: readonly string[],
  words: readonly string[],
  rest: readonly string[] | undefined,
): void {
  const options = path.length === 0 ? rootOptions : {};
  const flags = flagTable(globalOptionsFor(undefined), options);
  parseCommand({ path, options, examples: [] }, words, rest, { flags, home: '', canChoose: () => false });
}

/** Returns an example of the command itself, because the first example can prepare the command with another one. */
function exampleOf({ path, examples }: Syntax): string | undefined {
  const own = examples.find(({ command }) => command.includes(` ${path.join(' ')} `));
  return (own ?? examples[0])?.command;
}

/** A shell expands `--extension ~` to the home folder; `~` is the user's own extension. */
function asTyped(value: RawValue, home: string): RawValue {
  return Array.isArray(value) ? value.map((text: string) => (text === home ? '~' : text)) : value;
}

function quietCommand(): Command {
  return new Command()
    .exitOverride()
    .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
    .showSuggestionAfterError(false)
    .helpOption(false)
    .allowExcessArguments(false);
}

/** Returns whether a key such as `noInput` belongs to a switch `--no-...`, which the parser reports as false. */
function isNegative(key: string): boolean {
  return /^no[A-Z]/.test(key);
}

function addOption(command: Command, key: string, option: OptionSpec): void {
  const name = flagOf(key);
  const flags = option.short ? `-${option.short}, ${name}` : name;
  if (option.type === 'boolean') {
    command.addOption(underKey(key, new Option(flags)));
    if (option.negatable) command.addOption(underKey(key, new Option(name.replace('--', '--no-'))));
    return;
  }
  const collect = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
  command.addOption(underKey(key, new Option(`${flags} <${valueName(key, option)}>`).argParser(collect)));
}

/** Sets a separate key: the parser would store `--no-input` and an `--input` of a command under the same key. */
function underKey(key: string, option: Option): Option {
  option.attributeName = () => key;
  return option;
}

/** Returns the name of the argument that a flag means: `SHELL` for `--shell=zsh`. */
function argumentOf(typed: string, { options }: Syntax): string | undefined {
  const [flag = ''] = typed.split('=', 1);
  const positionals = Object.entries(options).filter(([, option]) => option.positional);
  const word = flag.replace(/^--/, '');
  const isWord = positionals.some(
    ([, { offered }]) => offered && !('spec' in offered) && offered.includes(word),
  );
  if (isWord) return word;
  return positionals
    .map(([key, option]) => ({ key, name: valueName(key, option) }))
    .find(({ key, name }) => flag === flagOf(key) || flag === `--${name.toLowerCase()}`)?.name;
}

/** Flags of other programs that show the requests. */
const diagnosticFlags: ReadonlySet<string> = new Set(['--verbose', '-v', '--curl', '--trace']);

/** Converts an error of commander to a usage error with a message of ucctl. The code identifies the problem; words and flags identify the place. */
function toUsageError(
  { code }: CommanderError,
  command: Command,
  words: readonly string[],
  spec: Syntax,
  flags: FlagTable,
): Error {
  const help = ucctl`${spec.path} --help`;
  if (code === 'commander.unknownOption') {
    const typed = command.parseOptions([...words]).unknown[0] ?? '';
    const argument = argumentOf(typed, spec);
    if (argument !== undefined)
      return usageError(
        `unknown flag ${typed}`,
        nextStep`${argument} is an argument, not a flag: ${ucctl`${spec.path} ${argument}`}`,
      );
    const [flag = ''] = typed.split('=', 1);
    if (diagnosticFlags.has(flag))
      return usageError(`unknown flag ${typed}`, 'to show the requests and replies: --debug=http');
    const near = suggestFlag(typed, flagTable(spec.options).names, flags.names);
    return usageError(`unknown flag ${typed}`, near.length > 0 ? `did you mean ${near.join(' or ')}?` : help);
  }
  if (code === 'commander.optionMissingArgument') {
    return usageError(`${flagsWithoutValue(command, words)} requires a value`, help);
  }
  if (code === 'commander.excessArguments') {
    const word = command.args[command.registeredArguments.length] ?? '';
    const hint = jsonFieldsHint(command.args, words, spec) ?? flagHint(word, spec.options);
    const near = hint ?? argumentsHint(command, words, spec) ?? help;
    const shown = /:.*@/s.test(word) ? maskUserInfo(word) : word;
    return usageError(`unexpected argument "${shown}"`, near);
  }
  return usageError(`invalid arguments (${code})`, help);
}

/** Returns the flag that an unexpected argument names, or whose value it is: `--flow jwt` for `jwt`. */
function flagHint(word: string, options: Syntax['options']): string | undefined {
  const wanted = word.toLowerCase();
  const flags = Object.entries(options).flatMap(([key, option]) => {
    if (option.positional) return [];
    if (flagOf(key) === `--${wanted}`)
      return option.type === 'boolean' ? [flagOf(key)] : [`${flagOf(key)} ${valueName(key, option)}`];
    const choice = 'choices' in option && option.choices?.find((one) => one.toLowerCase() === wanted);
    return choice ? [`${flagOf(key)} ${choice}`] : [];
  });
  return flags.length === 0 ? undefined : `did you mean ${flags.join(' or ')}?`;
}

/** The name of a file that contains a list. */
const listFile = /\.(?:csv|tsv|xlsx|ya?ml|json)$/i;

/**
 * Returns the flags that the arguments mean: `--queue Support --add 101` for `Support 101`. Without other flags, it is the
 * complete command line. A flag that was given cannot be meant again.
 */
function argumentsHint(
  command: Command,
  words: readonly string[],
  { path, options, argumentFlags = [] }: Syntax,
): Hint | undefined {
  const { args } = command;
  const unset = argumentFlags.filter((key) => command.getOptionValueSource(key) === undefined);
  const isList = argumentFlags.length > 0 && unset.length === argumentFlags.length && 'file' in options;
  const free = isList && args.length === 1 && listFile.test(args[0] ?? '') ? ['file'] : unset;
  const meant = free.flatMap((key, index) => {
    const values = options[key]?.type === 'list' ? args.slice(index) : args.slice(index, index + 1);
    return values.length === 0 ? [] : [{ flag: flagOf(key), values }];
  });
  if (meant.flatMap(({ values }) => values).length !== args.length) return undefined;
  const flags = meant.flatMap(({ flag, values }) => [flag, values.join(',')]);
  return words.length === args.length
    ? nextStep`did you mean ${ucctl`${path} ${flags}`}?`
    : `did you mean ${shellLine(flags)}?`;
}

/** `--json` never takes the next word, so the fields of `--json id name` are arguments. Undefined if no argument is a field. */
function jsonFieldsHint(args: readonly string[], words: readonly string[], spec: Syntax): string | undefined {
  if (!words.includes('--json=')) return undefined;
  const fields = fieldsOf(spec);
  const named = args.flatMap((word) => word.split(',')).filter((word) => fields.includes(word));
  return named.length === 0 ? undefined : `attach the fields to the flag: --json=${named.join(',')}`;
}

/**
 * Returns the flag whose value is missing. The flag is the last word, because the parser takes any following word as
 * the value of a flag. `-at` means `-a -t`.
 */
function flagsWithoutValue(command: Command, words: readonly string[]): string {
  const typed = words.at(-1) ?? '';
  const flag = typed.startsWith('--') ? typed : `-${typed.slice(-1)}`;
  const option = command.options.find(({ short, long }) => short === flag || long === flag);
  return option?.flags.replaceAll(/[<>]/g, '') ?? typed;
}
