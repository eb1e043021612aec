import type { OptionSpec } from '../runtime/command-description.ts';
import { fieldsOf, type AnyCommandSpec, type NounSpec } from '../runtime/define.ts';
import { bareFlags, flagOf, valueName } from './flags.ts';
import { globalOptionsFor } from './global-options.ts';
import { spanText } from './option-values.ts';
import { exitCodes } from './topics/exit-codes.ts';
import { topics } from './topics/names.ts';
import { definitions, wrap } from './wrap.ts';

const sections: readonly NounSpec['section'][] = [
  'Phones and people',
  'Messages',
  'Calls',
  'Live events',
  'Account and setup',
];

/** For someone who types the name alone. */
const begin = [
  ['ucctl init', 'Sign in to your account and look around'],
  ['ucctl sandbox start', 'Try everything without an account: the whole service on this machine'],
] as const;

const then = [
  ['ucctl status', 'Who is signed in, and where'],
  ['ucctl queue list --members', 'The call queues'],
  ['ucctl message list', 'What came in and went out'],
  ['ucctl completion install', 'Commands and names at a Tab'],
] as const;
const more = [
  ['ucctl NOUN --help', 'the verbs of a noun'],
  ['ucctl NOUN VERB --help', 'one command in full'],
  ['ucctl help TOPIC', 'a topic'],
] as const;

const title = 'ucctl - queues, calls, messages and live events of a business telephone service';

/** What someone is told who types the name alone: what to do next, short enough for any terminal. */
export function firstHelp(width: number): string {
  return text([
    wrapped(title, width),
    block('Begin here', definitions(begin, width)),
    block('Then', definitions(then, width)),
    block('Learn more', definitions([['ucctl --help', 'all nouns and flags'], ...more], width)),
  ]);
}

/** The help of the tool itself. */
export function rootHelp(nouns: readonly NounSpec[], width: number): string {
  const groups = sections.flatMap((section) => {
    const own = nouns.filter((noun) => noun.section === section);
    return own.length > 0
      ? [
          block(
            section,
            definitions(
              own.map((noun) => [noun.name, noun.summary]),
              width,
            ),
          ),
        ]
      : [];
  });
  return text([
    wrapped(title, width),
    block('Usage', '  ucctl NOUN VERB [ARGUMENTS] [FLAGS]'),
    block('Begin here', definitions(begin, width)),
    ...groups,
    block('Flags', flagLines({ ...globalOptionsFor(undefined), version }, width)),
    block('Topics', definitions(Object.entries(topics), width)),
    block('Learn more', definitions(more, width)),
    wrapped('ucctl sends nothing to anyone but your service: no telemetry, no update check.', width),
  ]);
}

/** The help of a noun: its verbs. */
export function nounHelp(noun: NounSpec, width: number): string {
  return text([
    wrapped(noun.summary, width),
    block('Usage', `  ucctl ${noun.name} VERB [ARGUMENTS] [FLAGS]`),
    block(
      'Commands',
      definitions(
        noun.commands.map((spec) => [usageWords(spec, noun.name), spec.summary]),
        width,
      ),
    ),
    block('Global flags', flagLines(globalOptionsFor(undefined), width)),
    block(
      'Examples',
      examples(
        noun.commands.flatMap((spec) => spec.examples.slice(0, 1)),
        width,
      ),
    ),
    block('Learn more', `  ucctl ${noun.name} VERB --help`),
  ]);
}

/** The help of one command. */
export function commandHelp(spec: AnyCommandSpec, width: number): string {
  const own = Object.entries(spec.options);
  const positionals = own.filter(([, option]) => option.positional);
  const flags = Object.fromEntries(own.filter(([, option]) => !option.positional));
  const extra = Object.entries(spec.exitCodes ?? {});
  const common = exitCodes.filter(
    ([code]) => ['0', '1', '2', '4'].includes(code) && !spec.exitCodes?.[Number(code)],
  );
  const codes = [...common, ...extra].sort(([a], [b]) => Number(a) - Number(b));
  return text([
    wrapped(spec.summary, width),
    wrapped(spec.description ?? '', width),
    block('Usage', `  ucctl ${usageWords(spec)}${Object.keys(flags).length > 0 ? ' [FLAGS]' : ''}`),
    block(
      'Arguments',
      definitions(
        positionals.map(([key, option]) => [valueName(key, option), explained(option)]),
        width,
      ),
    ),
    block('Flags', flagLines(flags, width)),
    block('Global flags', flagLines(globalOptionsFor(spec), width)),
    block('JSON fields', indented(fieldsOf(spec).join(', '), width)),
    block('Examples', examples(spec.examples, width)),
    block('Permissions', indented((spec.permissions ?? []).join(', '), width)),
    block('Usage group', spec.rateGroup ? `  ${spec.rateGroup}` : ''),
    block('Exit codes', `${definitions(codes, width)}\n  More: ucctl help exit-codes`),
    block('Environment', '  ucctl help environment'),
  ]);
}

const version = { type: 'boolean', short: 'V', summary: 'Show the version' } as const;

/** The words of a command line in usage: the path, its arguments, the flags that must be there. */
export function usageWords(spec: AnyCommandSpec, noun?: string): string {
  const path = noun !== undefined && spec.path.length > 1 ? spec.path.slice(1) : spec.path;
  const words = Object.entries(spec.options).flatMap(([key, option]) => {
    if (option.positional) {
      const value = valueName(key, option);
      const name = option.type === 'list' && !value.endsWith('...') ? `${value}...` : value;
      return [option.required ? name : `[${name}]`];
    }
    return option.required ? [`${flagOf(key)} ${valueName(key, option)}`] : [];
  });
  return [...path, ...words].join(' ');
}

function flagLines(table: Readonly<Record<string, OptionSpec>>, width: number): string {
  return definitions(
    Object.entries(table).map(([key, option]) => [flagTerm(key, option), explained(option)]),
    width,
  );
}

/** A flag as help lists it: `-o, --output FORMAT`. */
export function flagTerm(key: string, option: OptionSpec): string {
  const short = option.short ? `-${option.short}, ` : '    ';
  const mayStandAlone = option.type === 'string' && option.alone !== undefined;
  if (mayStandAlone || bareFlags.has(flagOf(key)))
    return `${short}${flagOf(key)}[=${valueName(key, option)}]`;
  if (option.type !== 'boolean') return `${short}${flagOf(key)} ${valueName(key, option)}`;
  return short + (option.negatable ? flagOf(key).replace('--', '--[no-]') : flagOf(key));
}

/** What an option is for, with its choices, bounds and default. */
export function explained(option: OptionSpec): string {
  const notes: string[] = [];
  if ('choices' in option && option.choices && !option.summary.includes(option.choices[0] ?? '')) {
    notes.push(`one of: ${option.choices.join(', ')}`);
  }
  if (option.type === 'integer' && (option.min !== undefined || option.max !== undefined)) {
    notes.push([option.min, option.max].map((bound) => bound ?? '').join('-'));
  }
  if (option.type === 'list')
    notes.push(option.commas === false ? 'repeatable' : 'repeatable, or with commas');
  if (option.required) notes.push('required');
  if ('default' in option && option.default !== undefined) {
    notes.push(`default ${option.type === 'duration' ? spanText(option.default) : String(option.default)}`);
  }
  return notes.length > 0 ? `${option.summary} (${notes.join('; ')})` : option.summary;
}

function examples(list: AnyCommandSpec['examples'], width: number): string {
  return list
    .map(({ comment, command }) => {
      const lines = wrap(comment, width - 4).map((line) => `  # ${line}`);
      return [...lines, `  $ ${command}`].join('\n');
    })
    .join('\n\n');
}

function indented(line: string, width: number): string {
  if (line === '') return '';
  return wrap(line, width - 2)
    .map((one) => `  ${one}`)
    .join('\n');
}

function wrapped(line: string, width: number): string {
  return wrap(line, width).join('\n');
}

function block(title: string, body: string): string {
  return body === '' ? '' : `${title}:\n${body}`;
}

function text(blocks: readonly string[]): string {
  return `${blocks.filter((one) => one !== '').join('\n\n')}\n`;
}
