import type { AnyCommandSpec, NounSpec, RegisteredNoun } from '../runtime/define.ts';
import { usageError } from '../errors/command.ts';
import { type Hint, nextStep, oneOf, ucctl } from '../errors/hint.ts';
import { splitArgv, type SplitArgv } from './argv.ts';
import { flagTable } from './flags.ts';
import { globalOptionsFor } from './global-options.ts';
import { suggest, suggestNoun, suggestVerb } from '../platform/suggest.ts';
import { topics } from './topics/names.ts';

/** The command or help text that a command line requests. */
export type Request =
  | { readonly kind: 'version' }
  | { readonly kind: 'root-help' }
  | { readonly kind: 'topic'; readonly name: string }
  | { readonly kind: 'noun-help'; readonly noun: NounSpec; readonly all: boolean }
  | {
      readonly kind: 'command-help';
      readonly spec: AnyCommandSpec;
      readonly noun: NounSpec;
      readonly all: boolean;
    }
  | { readonly kind: 'command'; readonly spec: AnyCommandSpec };

const builtIn = ['help'];

/**
 * Finds the command or help text that a command line requests. Global flags may come before, between and after the words.
 * @throws {CommandError} `usage` with similar names for an unknown word.
 */
export async function locate(argv: readonly string[], nouns: readonly RegisteredNoun[]): Promise<Request> {
  const split = splitArgv(argv, flagTable(globalOptionsFor(undefined)));
  const { words, positions, help, all } = split;
  const path = positions.map((position) => words[position] ?? '');
  const [first, ...more] = path;
  if (first === undefined) return withoutWords(split);
  if (first === 'help') return helpFor(more, all, nouns);
  checkFlagsBefore(first, words, nouns);
  const found = await inNouns(path, { help, all }, nouns);
  if (found.kind === 'noun-help' && !help) await checkFlags(split, [found.noun.name]);
  if (found.kind !== 'command-help') return found;
  // The command line is split again with the flags of the command, because `-h` may be the value of one of these flags.
  const whole = splitArgv(argv, flagTable(globalOptionsFor(found.spec), found.spec.options));
  return whole.help ? { ...found, all: whole.all } : { kind: 'command', spec: found.spec };
}

async function withoutWords(split: SplitArgv): Promise<Request> {
  const { words, help } = split;
  if (words.includes('--version') || words.includes('-V')) return { kind: 'version' };
  if (!help) await checkFlags(split, []);
  return { kind: 'root-help' };
}

/** Checks a command line without a verb: only global flags are valid there. @throws {CommandError} `usage`. */
async function checkFlags({ words, rest, positions }: SplitArgv, path: readonly string[]): Promise<void> {
  if (words.length === positions.length && (rest ?? []).length === 0) return;
  const { checkGlobalFlags } = await import('./parse.ts');
  checkGlobalFlags(path, withoutPath(words, positions, path.length), rest);
}

/**
 * Reports a flag before an unknown noun, because the word may be the value of this flag.
 * @throws {CommandError} `usage`.
 */
function checkFlagsBefore(noun: string, words: readonly string[], nouns: readonly RegisteredNoun[]): void {
  if (nouns.some(({ name }) => name === noun)) return;
  const { names } = flagTable(globalOptionsFor(undefined));
  const before = words.slice(0, words.indexOf(noun));
  const flag = before.find((word) => word.startsWith('--') && !names.includes(word.split('=')[0] ?? ''));
  if (flag === undefined) return;
  const near = suggest(flag, names);
  throw usageError(
    `unknown flag ${flag}`,
    near.length > 0
      ? `did you mean ${near.join(' or ')}?`
      : nextStep`write the flags of a command after its name: ${ucctl`NOUN VERB ${flag}`}`,
  );
}

async function helpFor(
  path: readonly string[],
  all: boolean,
  nouns: readonly RegisteredNoun[],
): Promise<Request> {
  const [name] = path;
  if (name === undefined) return { kind: 'root-help' };
  if (Object.hasOwn(topics, name)) return { kind: 'topic', name };
  return inNouns(path, { help: true, all }, nouns);
}

async function inNouns(
  path: readonly string[],
  { help, all }: { readonly help: boolean; readonly all: boolean },
  nouns: readonly RegisteredNoun[],
): Promise<Request> {
  const [first = '', ...more] = path;
  const registered = nouns.find((one) => one.name === first);
  if (!registered) {
    const commands = [...nouns.map((one) => one.name), ...builtIn];
    const names = [...new Set([...commands, ...Object.keys(topics)])];
    const near = suggestNoun(first, names).map(
      (name) => ucctl`${commands.includes(name) ? [] : 'help'} ${name}`,
    );
    const hint = near.length > 0 ? nextStep`did you mean ${oneOf(near)}?` : ucctl('--help');
    throw usageError(`unknown command "${first}"`, hint);
  }
  const noun = await registered.load();
  const spec = noun.commands
    .filter((one) => one.path.every((word, index) => path[index] === word))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (spec) return help ? { kind: 'command-help', spec, noun, all } : { kind: 'command', spec };
  const [verb] = more;
  if (verb === undefined) return { kind: 'noun-help', noun, all };
  const verbs = noun.commands.filter((one) => !one.unlisted).map((one) => one.path.slice(1).join(' '));
  const near = suggestVerb(verb, verbs);
  throw usageError(
    `unknown command "${noun.name} ${verb}"`,
    near.length > 0
      ? nextStep`did you mean ${oneOf(near.map((one) => ucctl`${noun.name} ${one.split(' ')}`))}?`
      : (expectedVerbHint(noun.name, verb, more[1]) ?? `one of: ${verbs.join(', ')}`),
  );
}

/** Returns the next step for a verb that the noun lacks, but that users of other programs expect. */
function expectedVerbHint(noun: string, verb: string, id = 'ID'): Hint | undefined {
  if (messageNouns.has(noun) && statusVerbs.has(verb))
    return nextStep`to show a message with its status: ${ucctl`message show ${id}`}`;
  if (noun === 'completion' && shells.has(verb))
    return nextStep`to print the script: ${ucctl`completion script ${verb}`}; to install it: ${ucctl`completion install ${verb}`}`;
  return undefined;
}

/** Nouns whose messages `message show` shows. */
const messageNouns: ReadonlySet<string> = new Set(['sms', 'pager', 'message']);
const statusVerbs: ReadonlySet<string> = new Set(['status', 'show', 'get']);
const shells: ReadonlySet<string> = new Set(['bash', 'zsh', 'fish', 'powershell']);

/** Removes the words of the path from a command line but not the flags between these words. */
export function withoutPath(
  words: readonly string[],
  positions: readonly number[],
  count: number,
): readonly string[] {
  const path = new Set(positions.slice(0, count));
  return words.filter((_, index) => !path.has(index));
}
