import { parseArgs } from 'node:util';
import type { AnyCommandSpec, OptionSpec } from '../runtime/define.ts';
import { usageError } from '../runtime/errors.ts';
import { flagOf, type FlagTable, valueName } from './flags.ts';
import { type GlobalOptions, globalOptionsFor } from './global-options.ts';
import { optionValues, type RawValue } from './option-values.ts';
import { suggest } from './suggest.ts';

export interface ParsedCommand {
  readonly globals: GlobalOptions;
  readonly options: Readonly<Record<string, unknown>>;
}

/** What one flag on the command line stands for. */
interface Meaning {
  readonly key: string;
  readonly option: OptionSpec;
  /** What a switch is set to. */
  readonly on: boolean;
}

/**
 * Parses the words of one command, without its path. Splitting into flags and values is Node's own work: a parser package would cost every
 * command a third of its start-up.
 * @throws {CommandError} `usage`.
 */
export function parseCommand(
  spec: AnyCommandSpec,
  words: readonly string[],
  rest: readonly string[] | undefined,
  flags: FlagTable,
): ParsedCommand {
  const globals = globalOptionsFor(spec);
  const meanings = meaningsOf({ ...globals, ...spec.options });
  const given = new Map<string, boolean | string[]>();
  const positions: string[] = [];
  for (const token of tokensOf(words, meanings)) {
    if (token.kind === 'positional') positions.push(token.value);
    if (token.kind !== 'option') continue;
    const meaning = meanings.get(token.name);
    if (!meaning) throw unknownFlag(token.rawName, spec, flags);
    take(given, meaning, token.value);
  }
  if (rest && spec.rest !== undefined) given.set(spec.rest, [...rest]);
  else positions.push(...(rest ?? []));
  placePositions(spec, positions, given);
  const raw = (key: string): RawValue => given.get(key);
  return { globals: optionValues(globals, raw), options: optionValues(spec.options, raw) };
}

function meaningsOf(table: Readonly<Record<string, OptionSpec>>): ReadonlyMap<string, Meaning> {
  const meanings = new Map<string, Meaning>();
  for (const [key, option] of Object.entries(table)) {
    if (option.positional) continue;
    const name = flagOf(key).slice(2);
    meanings.set(name, { key, option, on: true });
    if (option.type === 'boolean' && option.negatable) meanings.set(`no-${name}`, { key, option, on: false });
  }
  return meanings;
}

function tokensOf(
  words: readonly string[],
  meanings: ReadonlyMap<string, Meaning>,
): NonNullable<ReturnType<typeof parseArgs>['tokens']> {
  const options = Object.fromEntries(
    [...meanings].map(([name, { option, on }]) => [
      name,
      {
        type: option.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(option.short && on && { short: option.short }),
      },
    ]),
  );
  // Not strict: its messages would be Node's, and a value may begin with a dash.
  const parsed = parseArgs({
    args: [...words],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  return parsed.tokens;
}

function take(
  given: Map<string, boolean | string[]>,
  { key, option, on }: Meaning,
  value: string | undefined,
): void {
  if (option.type === 'boolean') {
    if (value !== undefined) throw usageError(`${flagOf(key)} takes no value`);
    given.set(key, on);
    return;
  }
  if (value === undefined) {
    throw usageError(`${flagOf(key)} ${valueName(key, option)}: the value is missing`, option.summary);
  }
  const before = given.get(key);
  given.set(key, [...(Array.isArray(before) ? before : []), value]);
}

/** Arguments go to the positionals in their order; a list takes all that are left. */
function placePositions(
  spec: AnyCommandSpec,
  positions: readonly string[],
  given: Map<string, boolean | string[]>,
): void {
  let left = [...positions];
  for (const [key, option] of Object.entries(spec.options)) {
    if (!option.positional || left.length === 0) continue;
    const count = option.type === 'list' ? left.length : 1;
    given.set(key, left.slice(0, count));
    left = left.slice(count);
  }
  if (left.length > 0) {
    throw usageError(`too many arguments: ${left.join(' ')}`, `ucctl ${spec.path.join(' ')} --help`);
  }
}

function unknownFlag(typed: string, spec: AnyCommandSpec, flags: FlagTable): Error {
  const near = suggest(typed, flags.names);
  const hint = near.length > 0 ? `did you mean ${near.join(' or ')}?` : `ucctl ${spec.path.join(' ')} --help`;
  return usageError(`there is no flag ${typed}`, hint);
}
