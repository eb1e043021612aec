import type { AnyCommandSpec, NounSpec, RegisteredNoun } from '../runtime/define.ts';
import { usageError } from '../errors/command.ts';
import { nextStep, oneOf, ucctl } from '../errors/hint.ts';
import { splitArgv } from './argv.ts';
import { flagTable } from './flags.ts';
import { globalOptionsFor } from './global-options.ts';
import { suggest } from '../platform/suggest.ts';
import { topics } from './topics/names.ts';

/** What a command line asks for. */
export type Request =
  | { readonly kind: 'version' }
  | { readonly kind: 'root-help' }
  | { readonly kind: 'topic'; readonly name: string }
  | { readonly kind: 'noun-help'; readonly noun: NounSpec; readonly asked: boolean }
  | { readonly kind: 'command-help'; readonly spec: AnyCommandSpec }
  | { readonly kind: 'command'; readonly spec: AnyCommandSpec };

const builtIn = ['help', 'version'];

/**
 * Finds out which command, or which help, a command line asks for. Global flags may stand before, between and after the words.
 * @throws {CommandError} `usage` with the nearest names for a word that is none.
 */
export async function locate(argv: readonly string[], nouns: readonly RegisteredNoun[]): Promise<Request> {
  const { words, positions, help } = splitArgv(argv, flagTable(globalOptionsFor(undefined)));
  const path = positions.map((position) => words[position] ?? '');
  const [first, ...more] = path;
  if (first === undefined) return withoutWords(words, help);
  if (first === 'version') return { kind: 'version' };
  if (first === 'help') return helpFor(more, nouns);
  const found = await inNouns(path, help, nouns);
  if (found.kind !== 'command-help') return found;
  // Only with the command's own flags known is it clear that `-h` is no value of one of them.
  const whole = splitArgv(argv, flagTable(globalOptionsFor(found.spec), found.spec.options));
  return whole.help ? found : { kind: 'command', spec: found.spec };
}

function withoutWords(words: readonly string[], help: boolean): Request {
  if (words.includes('--version') || words.includes('-V')) return { kind: 'version' };
  const stray = words.find((word) => word.startsWith('-') && word !== '-h' && word !== '--help');
  const known = flagTable(globalOptionsFor(undefined)).names;
  if (!help && stray?.startsWith('--') && !known.includes(stray.split('=')[0] ?? '')) {
    throw unknownFlag(stray, [...known, '--version']);
  }
  return { kind: 'root-help' };
}

function unknownFlag(flag: string, known: readonly string[]): Error {
  const near = suggest(flag, known);
  return usageError(
    `there is no flag ${flag}`,
    near.length > 0 ? `did you mean ${near.join(' or ')}?` : 'ucctl --help',
  );
}

async function helpFor(path: readonly string[], nouns: readonly RegisteredNoun[]): Promise<Request> {
  const [name] = path;
  if (name === undefined) return { kind: 'root-help' };
  if (Object.hasOwn(topics, name)) return { kind: 'topic', name };
  return inNouns(path, true, nouns, Object.keys(topics));
}

async function inNouns(
  path: readonly string[],
  help: boolean,
  nouns: readonly RegisteredNoun[],
  alsoKnown: readonly string[] = builtIn,
): Promise<Request> {
  const [first = '', ...more] = path;
  const registered = nouns.find((one) => one.name === first);
  if (!registered) {
    const near = suggest(first, [...nouns.map((one) => one.name), ...alsoKnown]);
    const hint = near.length > 0 ? nextStep`did you mean ${oneOf(near.map(ucctl))}?` : ucctl('--help');
    throw usageError(`there is no command "${first}"`, hint);
  }
  const noun = await registered.load();
  const spec = noun.commands
    .filter((one) => one.path.every((word, index) => path[index] === word))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (spec) return { kind: help ? 'command-help' : 'command', spec };
  const [verb] = more;
  if (verb === undefined) return { kind: 'noun-help', noun, asked: help };
  const verbs = noun.commands.map((one) => one.path.slice(1).join(' '));
  const near = suggest(verb, verbs);
  throw usageError(
    `${noun.name} has no command "${verb}"`,
    near.length > 0
      ? nextStep`did you mean ${oneOf(near.map((one) => ucctl(`${noun.name} ${one}`)))}?`
      : `one of: ${verbs.join(', ')}`,
  );
}

/** Takes the words of the path out of a command line; flags among them stay. */
export function withoutPath(
  words: readonly string[],
  positions: readonly number[],
  count: number,
): readonly string[] {
  const path = new Set(positions.slice(0, count));
  return words.filter((_, index) => !path.has(index));
}
