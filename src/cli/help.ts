import type { OptionSpec } from '../runtime/command-description.ts';
import { fieldsOf, permissionLines, type AnyCommandSpec, type NounSpec } from '../runtime/define.ts';
import { commandGlobals, globalOptionsFor } from './global-options.ts';
import {
  block,
  exampleLines,
  explainedArguments,
  flagLines,
  indented,
  page,
  usageLine,
  usageWords,
  wrapped,
} from './help-parts.ts';
import { exitCodes } from './topics/exit-codes.ts';
import { topics } from './topics/names.ts';
import { definitions } from './wrap.ts';

const sections: readonly NounSpec['section'][] = [
  'Phones and people',
  'Messages',
  'Calls',
  'Live events',
  'Account and setup',
];

const gettingStarted = [
  ['ucctl init', 'Sign in to your account and get an overview'],
  ['ucctl sandbox start', 'Try ucctl without an account: run the whole service locally'],
] as const;

const nextSteps = [
  ['ucctl status', 'Show the signed-in user and the service'],
  ['ucctl queue list --members', 'List call queues with their number of agents'],
  ['ucctl message list', 'List received and sent messages'],
  ['ucctl completion install', 'Install tab completion'],
] as const;
const more = [
  ['ucctl NOUN --help', 'List the commands of a noun'],
  ['ucctl NOUN VERB --help', 'Show usage, flags and examples of a command'],
  ['ucctl help TOPIC', 'Show a topic'],
] as const;

const title = 'ucctl - queues, calls, messages and live events of a business telephone service';

/** Returns the help for `ucctl` without arguments on a terminal: the next steps, short enough for any screen. */
export function firstHelp(width: number): string {
  return page([
    wrapped(title, width),
    block('Get started', definitions(gettingStarted, width)),
    block('Next steps', definitions(nextSteps, width)),
    block('Learn more', definitions([['ucctl --help', 'All nouns and topics'], ...more], width)),
  ]);
}

/** Returns the help of `ucctl --help`. */
export function rootHelp(nouns: readonly NounSpec[], width: number): string {
  const groups = sections.flatMap((section) => {
    const own = nouns.filter((noun) => noun.section === section);
    const lines = own.map((noun) => [noun.name, noun.summary] as const);
    return own.length > 0 ? [block(section, definitions(lines, width))] : [];
  });
  return page([
    wrapped(title, width),
    block('Usage', '  ucctl NOUN VERB [ARGUMENTS] [FLAGS]'),
    block('Get started', definitions(gettingStarted, width)),
    ...groups,
    block('Flags', flagLines({ help: globalOptionsFor(undefined)['help'] ?? version, version }, width)),
    block('Topics', definitions(Object.entries(topics), width)),
    block('Learn more', definitions(more, width)),
    wrapped(
      'ucctl sends data only to the service and the places that you configure: no telemetry, no automatic update check.',
      width,
    ),
  ]);
}

/** Returns the help of a noun: its commands. `all` adds the global flags. */
export function nounHelp(noun: NounSpec, width: number, all = false): string {
  const listed = noun.commands.filter((spec) => !spec.unlisted);
  const examples = noun.commands.flatMap((spec) => spec.examples.slice(0, 1));
  return page([
    wrapped(noun.summary, width),
    block('Usage', `  ucctl ${noun.name} VERB [ARGUMENTS] [FLAGS]`),
    block('Commands', commandLines(listed, noun.name, width)),
    wrapped(noun.note ?? '', width),
    block('Global flags', all ? flagLines(globalOptionsFor(undefined), width) : ''),
    block('Examples', exampleLines(examples.slice(0, all ? undefined : shortExamples), width)),
    wrapped(`One command: ucctl ${noun.name} VERB --help. Global flags: ucctl help flags`, width),
  ]);
}

function commandLines(commands: readonly AnyCommandSpec[], noun: string | undefined, width: number): string {
  return definitions(
    commands.map((spec) => [usageWords(spec, noun), spec.summary] as const),
    width,
  );
}

/** Maximum number of examples in the short help of a noun. */
const shortExamples = 3;

/**
 * Returns the help of one command. Without `all`, rarely needed parts are omitted. A command without a verb, such as
 * `sync`, also lists the other commands of its noun.
 */
export function commandHelp(spec: AnyCommandSpec, width: number, all = false, noun?: NounSpec): string {
  const others = spec.path.length > 1 ? [] : (noun?.commands ?? []).filter(({ path }) => path.length > 1);
  const text = all ? fullHelp(spec, width) : shortHelp(spec, width);
  const list = commandLines(others, undefined, width);
  return list === '' ? text : page([text.trimEnd(), block('More commands', list)]);
}

/** Maximum number of lines in the short help of a command. A longer text omits its last examples. */
const shortLines = 40;

/** Returns usage, description and flags of the command, and as many examples as fit, at least one. */
function shortHelp(spec: AnyCommandSpec, width: number, examples = spec.examples): string {
  const text = shortText(spec, width, examples);
  const isTooLong = text.trimEnd().split('\n').length > shortLines;
  return isTooLong && examples.length > 1 ? shortHelp(spec, width, examples.slice(0, -1)) : text;
}

function shortText(spec: AnyCommandSpec, width: number, examples: AnyCommandSpec['examples']): string {
  const flags = { ...flagsOf(spec), ...commandGlobals(spec) };
  const shown = Object.entries(flags).filter(([, option]) => !option.advanced);
  const isCut = shown.length < Object.keys(flags).length;
  const flagBlock = [
    ...(shown.length > 0 ? [flagLines(Object.fromEntries(shown), width)] : []),
    ...(isCut ? ['  More flags: --help --all'] : []),
  ];
  return page([
    wrapped(spec.summary, width),
    wrapped(spec.description ?? '', width),
    block('Usage', `  ${usageLine(spec)}`),
    block('Arguments', argumentLines(spec, width)),
    block('Flags', flagBlock.join('\n')),
    block('Examples', exampleLines(examples, width)),
    wrapped('Global flags: ucctl help flags. Exit codes, permissions and more: --help --all', width),
  ]);
}

function fullHelp(spec: AnyCommandSpec, width: number): string {
  const extra = Object.entries(spec.exitCodes ?? {});
  const common = exitCodes.filter(
    ([code]) => ['0', '1', '2', '4'].includes(code) && !spec.exitCodes?.[Number(code)],
  );
  const codes = [...common, ...extra].sort(([a], [b]) => Number(a) - Number(b));
  return page([
    wrapped(spec.summary, width),
    wrapped(spec.description ?? '', width),
    wrapped(spec.details ?? '', width),
    block('Usage', `  ${usageLine(spec)}`),
    block('Arguments', argumentLines(spec, width)),
    block('Flags', flagLines(flagsOf(spec), width)),
    block('Global flags', flagLines(globalOptionsFor(spec), width)),
    block('JSON fields', indented(fieldsOf(spec).join(', '), width)),
    block('Examples', exampleLines(spec.examples, width)),
    block('Permissions', permissionText(spec, width)),
    block('Usage group', spec.rateGroup ? `  ${spec.rateGroup}` : ''),
    block('Exit codes', `${definitions(codes, width)}\n  More: ucctl help exit-codes`),
    block('Environment', '  ucctl help environment'),
  ]);
}

const version = { type: 'boolean', short: 'V', summary: 'Show the version' } as const;

function argumentLines(spec: AnyCommandSpec, width: number): string {
  return definitions(explainedArguments(spec), width);
}

/** Returns the flags of a command, without global flags and arguments. */
function flagsOf(spec: AnyCommandSpec): Readonly<Record<string, OptionSpec>> {
  return Object.fromEntries(Object.entries(spec.options).filter(([, option]) => !option.positional));
}

/** Returns the permissions of a command, on a line for each dialect if they differ. */
function permissionText(spec: AnyCommandSpec, width: number): string {
  return permissionLines(spec)
    .map(([dialect, names]) => {
      const text = names.join(', ') || 'none';
      return indented(dialect === undefined ? text : `Dialect ${dialect}: ${text}`, width);
    })
    .join('\n');
}
