import type { PathCheck } from '../runtime/field-path.ts';
import { fieldsOf, type AnyCommandSpec, type RegisteredNoun } from '../runtime/define.ts';
import { usageError } from '../errors/command.ts';
import { writesDocument, type OutputFormat } from '../runtime/output.ts';
import type { Sink } from '../runtime/streams.ts';
import type { System } from '../runtime/system.ts';
import { splitArgv } from './argv.ts';
import { flagOf, flagTable } from './flags.ts';
import { type GlobalOptions, globalOptionsFor, outputFormats } from './global-options.ts';
import { locate, withoutPath } from './locate.ts';
import type { MissingChoice, ParseSettings } from './parse.ts';
import { loadAll } from './load-nouns.ts';

/** A parsed command line: a text to print, or a command to run. */
export type Program =
  | {
      readonly kind: 'print';
      readonly text: string;
      /** Whether a pager may show the text: a help text or topic, without a screen reader. */
      readonly pages: boolean;
    }
  | {
      readonly kind: 'run';
      readonly spec: AnyCommandSpec;
      readonly globals: GlobalOptions;
      readonly options: Readonly<Record<string, unknown>>;
      /** Missing values that the user chooses from a list before the command runs. */
      readonly choices: readonly MissingChoice[];
    };

/** The parts of the system on which the text of a help request depends. */
type Surroundings = Pick<System, 'version' | 'homeDirectory'> & {
  readonly stdout: Pick<Sink, 'columns' | 'isTerminal'>;
};

const defaultWidth = 80;
const widest = 110;

/**
 * Parses a command line. `canChoose` decides whether the user can choose missing values from a list.
 * @throws {CommandError} `usage`.
 */
export async function understand(
  argv: readonly string[],
  nouns: readonly RegisteredNoun[],
  system: Surroundings,
  canChoose: ParseSettings['canChoose'] = () => false,
): Promise<Program> {
  const request = await locate(argv, nouns);
  if (request.kind === 'version') return print(`${system.version}\n`);
  if (request.kind === 'command')
    return understandCommand(request.spec, argv, system.homeDirectory, canChoose);
  const width = Math.min(system.stdout.columns ?? defaultWidth, widest);
  const { commandHelp, firstHelp, nounHelp, rootHelp } = await import('./help.ts');
  if (argv.length === 0 && system.stdout.isTerminal) return print(firstHelp(width));
  const accessible = argv.includes('--accessible');
  const help = (text: string): Program => ({ kind: 'print', text, pages: !accessible });
  if (request.kind === 'root-help') return help(rootHelp(await loadAll(nouns), width));
  if (request.kind === 'command-help') {
    return help(commandHelp(request.spec, width, request.all, request.noun));
  }
  if (request.kind === 'topic') {
    const { topicText } = await import('./topics/topic-text.ts');
    return help(topicText(request.name, width) ?? '');
  }
  return help(nounHelp(request.noun, width, request.all));
}

function print(text: string): Program {
  return { kind: 'print', text, pages: false };
}

async function understandCommand(
  spec: AnyCommandSpec,
  argv: readonly string[],
  home: string,
  canChoose: ParseSettings['canChoose'],
): Promise<Program> {
  const flags = flagTable(globalOptionsFor(spec), spec.options);
  const { words, rest, positions } = splitArgv(argv, flags);
  // This request is answered before parsing, because required arguments may be missing.
  if (words.includes('--json=help'))
    return print(
      fieldsOf(spec)
        .map((field) => `${field}\n`)
        .join(''),
    );
  const { parseCommand } = await import('./parse.ts');
  const own = withoutPath(words, positions, spec.path.length);
  const parsed = parseCommand(spec, own, rest, { flags, home, canChoose });
  await checkFields(spec, fieldsOfJson(parsed.globals));
  checkAdded(spec, pickedFields(parsed.globals) ?? [], parsed.options);
  return { kind: 'run', spec, ...parsed };
}

/** Returns the fields named by `--json=a,b`; undefined for `--json` alone. */
function fieldsOfJson(globals: GlobalOptions): readonly string[] | undefined {
  const names = (globals.json ?? '').split(',').map((name) => name.trim());
  const named = names.filter((name) => name !== '');
  return named.length > 0 ? named : undefined;
}

/** Returns the fields selected by `--json=a,b`, otherwise by `--fields`; undefined for all. */
export function pickedFields(globals: GlobalOptions): readonly string[] | undefined {
  return fieldsOfJson(globals) ?? (globals.fields?.length ? globals.fields : undefined);
}

/**
 * Checks the fields that `--fields` selects from structured output. Other formats also have columns with names of their own.
 * @throws {CommandError} `usage` for an unknown field.
 */
export async function checkSelected(
  spec: AnyCommandSpec,
  globals: GlobalOptions,
  format: OutputFormat | undefined,
): Promise<void> {
  if (format !== undefined && writesDocument(format)) await checkFields(spec, pickedFields(globals));
}

async function checkFields(spec: AnyCommandSpec, named: readonly string[] | undefined): Promise<void> {
  if (!named) return;
  const known = fieldsOf(spec);
  if (known.length === 0) return;
  const unknown = named.find((name) => !known.includes(name) && !known.includes(name.split('.')[0] ?? ''));
  if (unknown !== undefined) {
    throw usageError(`unknown JSON field "${unknown}"`, `fields: ${known.join(', ')}`);
  }
  const check = await pathCheckOf(spec, named);
  for (const name of named) {
    const undeclared = check?.(name);
    if (undeclared !== undefined) throw undeclared;
  }
}

/** Returns the check of paths into the records; undefined if no field is a path, because most runs need no check. */
export async function pathCheckOf(
  { output }: AnyCommandSpec,
  named: readonly string[],
): Promise<PathCheck | undefined> {
  if (output === undefined || !named.some((name) => name.includes('.'))) return undefined;
  return (await import('../runtime/field-path.ts')).pathCheck(output);
}

/** Checks the options that add selected fields. @throws {CommandError} `usage` for a field that would always be empty. */
function checkAdded(
  spec: AnyCommandSpec,
  named: readonly string[],
  options: Readonly<Record<string, unknown>>,
): void {
  for (const [key, { adds }] of Object.entries(spec.options ?? {})) {
    const field = named.find((name) => adds?.includes(name.split('.')[0] ?? ''));
    if (field === undefined || options[key] === true) continue;
    throw usageError(`the field ${field} requires ${flagOf(key)}`, `add ${flagOf(key)}, or remove ${field}`);
  }
}

/**
 * Returns the output format set by flags or environment; undefined leaves the choice to the profile, then to the kind
 * of stdout.
 * @throws {CommandError} `usage` for an unknown format.
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
    throw usageError(`UCCTL_OUTPUT: "${wanted}" is not a valid value`, `one of: ${outputFormats.join(', ')}`);
  return format;
}

/**
 * Returns the format for reporting a command line that could not be parsed: JSON if any part of the command line
 * requests JSON.
 */
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
