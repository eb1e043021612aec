import { ucctl } from '../errors/hint.ts';
import { fieldsOf, type AnyCommandSpec, type RegisteredNoun } from '../runtime/define.ts';
import { usageError } from '../errors/command.ts';
import type { OutputFormat } from '../runtime/output.ts';
import type { System } from '../runtime/system.ts';
import { splitArgv } from './argv.ts';
import { flagTable } from './flags.ts';
import { type GlobalOptions, globalOptionsFor, outputFormats } from './global-options.ts';
import { locate, withoutPath } from './locate.ts';
import { loadAll } from './load-nouns.ts';

/** A command line that is understood: a text to print, or a command to run. */
export type Program =
  | { readonly kind: 'print'; readonly text: string; readonly exit: number }
  | {
      readonly kind: 'run';
      readonly spec: AnyCommandSpec;
      readonly globals: GlobalOptions;
      readonly options: Readonly<Record<string, unknown>>;
    };

const defaultWidth = 80;
const widest = 110;

/**
 * Understands a command line.
 * @throws {CommandError} `usage`.
 */
export async function understand(
  argv: readonly string[],
  nouns: readonly RegisteredNoun[],
  system: System,
): Promise<Program> {
  const request = await locate(argv, nouns);
  if (request.kind === 'version') return print(`${system.version}\n`);
  if (request.kind === 'command') return understandCommand(request.spec, argv, system.homeDirectory);
  const width = Math.min(system.stdout.columns ?? defaultWidth, widest);
  const { commandHelp, firstHelp, nounHelp, rootHelp } = await import('./help.ts');
  if (argv.length === 0 && system.stdout.isTerminal) return print(firstHelp(width));
  if (request.kind === 'root-help') return print(rootHelp(await loadAll(nouns), width));
  if (request.kind === 'command-help') return print(commandHelp(request.spec, width));
  if (request.kind === 'topic') {
    const { topicText } = await import('./topics/topic-text.ts');
    return print(topicText(request.name, width) ?? '');
  }
  // In a script a forgotten verb is a mistake, and stdout is for results.
  const { noun, asked } = request;
  if (asked || system.stdout.isTerminal) return print(nounHelp(noun, width));
  throw usageError(`ucctl ${noun.name} needs a verb`, ucctl(`${noun.name} --help`));
}

function print(text: string): Program {
  return { kind: 'print', text, exit: 0 };
}

async function understandCommand(
  spec: AnyCommandSpec,
  argv: readonly string[],
  home: string,
): Promise<Program> {
  const flags = flagTable(globalOptionsFor(spec), spec.options);
  const { words, rest, positions } = splitArgv(argv, flags);
  // Whoever asks for the fields does not have the arguments yet.
  if (words.includes('--json=help'))
    return print(
      fieldsOf(spec)
        .map((field) => `${field}\n`)
        .join(''),
    );
  const { parseCommand } = await import('./parse.ts');
  const own = withoutPath(words, positions, spec.path.length);
  const parsed = parseCommand(spec, own, rest, flags, home);
  checkFields(spec, jsonFields(parsed.globals));
  return { kind: 'run', spec, ...parsed };
}

/** Fields named by `--json=a,b`; undefined for `--json` alone. */
function jsonFields(globals: GlobalOptions): readonly string[] | undefined {
  const names = (globals.json ?? '').split(',').map((name) => name.trim());
  const named = names.filter((name) => name !== '');
  return named.length > 0 ? named : undefined;
}

/** Fields that the run shows instead of all: of `--json=a,b`, else of `--fields`. */
export function pickedFields(globals: GlobalOptions): readonly string[] | undefined {
  return jsonFields(globals) ?? (globals.fields?.length ? globals.fields : undefined);
}

function checkFields(spec: AnyCommandSpec, named: readonly string[] | undefined): void {
  if (!named) return;
  const known = fieldsOf(spec);
  if (known.length === 0) return;
  const stray = named.find((name) => !known.includes(name) && !known.includes(name.split('.')[0] ?? ''));
  if (stray !== undefined) {
    throw usageError(`there is no JSON field "${stray}"`, `fields: ${known.join(', ')}`);
  }
}

/**
 * The output format that flags and environment ask for; undefined leaves it to the profile, then to the kind of stdout.
 * @throws {CommandError} `usage` for a format that does not exist.
 */
export function askedFormat(
  globals: GlobalOptions,
  env: Readonly<Record<string, string | undefined>>,
): OutputFormat | undefined {
  if (globals.output) return globals.output;
  if (globals.json !== undefined || globals.jq !== undefined) return 'json';
  const wanted = env['UCCTL_OUTPUT'];
  if (!wanted) return undefined;
  const format = outputFormats.find((one) => one === wanted);
  if (!format)
    throw usageError(`UCCTL_OUTPUT does not take "${wanted}"`, `one of: ${outputFormats.join(', ')}`);
  return format;
}

/** The format for reporting a command line that could not be understood: whatever of it asks for JSON counts. */
export function guessFormat(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): OutputFormat | undefined {
  const text = argv.join(' ');
  if (/(^| )--json(=| |$)/.test(text)) return 'json';
  const flag = /(?:^| )(?:-o ?|--output[ =])(\w+)/.exec(text)?.[1];
  const wanted = flag ?? env['UCCTL_OUTPUT'];
  return outputFormats.find((one) => one === wanted);
}
