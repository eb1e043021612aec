import { Command, type CommanderError, Option } from 'commander';
import type { OptionSpec } from '../runtime/command-description.ts';
import type { AnyCommandSpec } from '../runtime/define.ts';
import { usageError } from '../errors/command.ts';
import { ucctl } from '../errors/hint.ts';
import { flagOf, type FlagTable, valueName } from './flags.ts';
import { type GlobalOptions, globalOptionsFor } from './global-options.ts';
import { optionValues, type RawValue } from './option-values.ts';
import { suggest } from '../platform/suggest.ts';

export interface ParsedCommand {
  readonly globals: GlobalOptions;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Parses the words of one command, without its path. `home` is what a shell makes of a `~` that stands alone.
 * @throws {CommandError} `usage`.
 */
export function parseCommand(
  spec: AnyCommandSpec,
  words: readonly string[],
  rest: readonly string[] | undefined,
  flags: FlagTable,
  home: string,
): ParsedCommand {
  const globals = globalOptionsFor(spec);
  const positionals = Object.entries(spec.options).filter(([, option]) => option.positional);
  const command = quietCommand();
  for (const [key, option] of [...Object.entries(globals), ...Object.entries(spec.options)]) {
    if (!option.positional) addOption(command, key, option);
  }
  for (const [key, option] of positionals) {
    // Whether it was required is checked with the values, in our own words.
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
  return {
    globals: optionValues(globals, found),
    options: optionValues(
      spec.options,
      (key) => {
        const isExtension = spec.options[key]?.value?.startsWith('EXT') ?? false;
        const typed = (value: RawValue): RawValue => (isExtension ? asTyped(value, home) : value);
        if (!byPosition.has(key)) return typed(found(key));
        const value = byPosition.get(key);
        return typed(typeof value === 'string' ? [value] : (value as readonly string[] | undefined));
      },
      spec.examples[0]?.command,
    ),
  };
}

/** `--extension ~` reaches the program as the home folder, which is no extension: the own one was meant. */
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

/** `noInput` is the switch `--no-input`, which the parser reports as false. */
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

/** The parser would keep `--no-input` and an `--input` of a command in one place. */
function underKey(key: string, option: Option): Option {
  option.attributeName = () => key;
  return option;
}

/** What is wrong with the words, in our own: commander's codes say which fault it is, its parser and options say where. */
function toUsageError(
  { code }: CommanderError,
  command: Command,
  words: readonly string[],
  spec: AnyCommandSpec,
  flags: FlagTable,
): Error {
  const help = ucctl(`${spec.path.join(' ')} --help`);
  if (code === 'commander.unknownOption') {
    const typed = command.parseOptions([...words]).unknown[0] ?? '';
    const near = suggest(typed, flags.names);
    return usageError(
      `there is no flag ${typed}`,
      near.length > 0 ? `did you mean ${near.join(' or ')}?` : help,
    );
  }
  if (code === 'commander.optionMissingArgument') {
    return usageError(`${flagsWithoutValue(command, words)}: the value is missing`, help);
  }
  if (code === 'commander.excessArguments') return usageError('too many arguments', help);
  return usageError(`the arguments cannot be read (${code})`, help);
}

/** The flags of the option whose value is missing: the last word, as any word behind it would be its value. `-at` stands for `-a -t`. */
function flagsWithoutValue(command: Command, words: readonly string[]): string {
  const typed = words.at(-1) ?? '';
  const flag = typed.startsWith('--') ? typed : `-${typed.slice(-1)}`;
  const option = command.options.find(({ short, long }) => short === flag || long === flag);
  return option?.flags.replaceAll(/[<>]/g, '') ?? typed;
}
