import type { OptionSpec } from '../runtime/command-description.ts';
import type { AnyCommandSpec } from '../runtime/define.ts';
import { joinedValueFlags, flagOf, valueName } from './flags.ts';
import { spanText } from './option-values.ts';
import { isListed, valueKind } from './value-kind.ts';
import { definitions, wrap } from './wrap.ts';

/** Returns the command line of a usage text: path, arguments and required flags. */
export function usageWords(spec: AnyCommandSpec, noun?: string): string {
  const path = noun !== undefined && spec.path.length > 1 ? spec.path.slice(1) : spec.path;
  const words = Object.entries(spec.options).flatMap(([key, option]) => {
    if (option.positional) {
      const value = valueName(key, option);
      if (value.startsWith('[')) return [value];
      if (option.type === 'list' && option.isCommandLine) return [`-- ${value}...`];
      const name = option.type === 'list' && !value.endsWith('...') ? `${value}...` : value;
      return [option.required ? name : `[${name}]`];
    }
    return option.required ? [`${flagOf(key)} ${valueName(key, option)}`] : [];
  });
  return [...path, ...words].join(' ');
}

/** Returns the complete usage of a command. The flags of the command are before another command that it runs. */
export function usageLine(spec: AnyCommandSpec): string {
  const hasFlags = Object.values(spec.options).some((option) => !option.positional);
  const [own = '', ...other] = usageWords(spec).split(' -- ');
  return [`ucctl ${own}${hasFlags ? ' [FLAGS]' : ''}`, ...other].join(' -- ');
}

/** Returns a table of flags with their explanations. */
export function flagLines(table: Readonly<Record<string, OptionSpec>>, width: number): string {
  return definitions(
    Object.entries(table).map(([key, option]) => [flagTerm(key, option), explained(option)]),
    width,
  );
}

/** Formats a flag for help, such as `-o, --output FORMAT`. */
export function flagTerm(key: string, option: OptionSpec): string {
  const short = option.short ? `-${option.short}, ` : '    ';
  const mayStandAlone = option.type === 'string' && option.alone !== undefined;
  if (mayStandAlone || joinedValueFlags.has(flagOf(key)))
    return `${short}${flagOf(key)}[=${valueName(key, option)}]`;
  if (option.type !== 'boolean') return `${short}${flagOf(key)} ${valueName(key, option)}`;
  return short + (option.negatable ? flagOf(key).replace('--', '--[no-]') : flagOf(key));
}

/** Returns the arguments of a command, each with its explanation. */
export function explainedArguments(
  spec: Pick<AnyCommandSpec, 'path' | 'options'>,
): readonly (readonly [name: string, explanation: string])[] {
  return Object.entries(spec.options)
    .filter(([, option]) => option.positional)
    .map(([key, option]) => [
      valueName(key, option),
      explained(option, isListed(valueKind(spec.path, key, option))),
    ]);
}

/**
 * Returns the purpose of an option, with its choices, bounds and default. `isChosen`: a terminal offers a list of its
 * values.
 */
export function explained(option: OptionSpec, isChosen = false): string {
  const notes: string[] = [];
  if ('choices' in option && option.choices && !option.summary.includes(option.choices[0] ?? '')) {
    notes.push(`one of: ${option.choices.join(', ')}`);
  }
  for (const note of [boundsNote(option), repetitionNote(option)]) if (note !== undefined) notes.push(note);
  if (option.required)
    notes.push(isChosen ? 'required; if omitted on a terminal, ucctl offers a list' : 'required');
  if ('default' in option && option.default !== undefined) {
    notes.push(`default ${option.type === 'duration' ? spanText(option.default) : String(option.default)}`);
  }
  return notes.length > 0 ? `${option.summary} (${notes.join('; ')})` : option.summary;
}

/** Returns the bounds of a number: `1-10`, `at least 1` or `at most 10`. */
function boundsNote(option: OptionSpec): string | undefined {
  if (option.type !== 'integer') return undefined;
  const { min, max } = option;
  if (min === undefined && max === undefined) return undefined;
  if (max === undefined) return `at least ${min}`;
  return min === undefined ? `at most ${max}` : `${min}-${max}`;
}

/**
 * Explains how to give several values. Returns undefined for an option with one value, and for an argument whose usage
 * shows `...`.
 */
function repetitionNote(option: OptionSpec): string | undefined {
  if (option.type !== 'list') return undefined;
  if (option.commas !== false) return 'repeatable, or separated by commas';
  return option.positional ? undefined : 'repeatable';
}

/** Examples as comment and command, separated by blank lines. */
export function exampleLines(list: AnyCommandSpec['examples'], width: number): string {
  return list
    .map(({ comment, command }) => {
      const lines = wrap(comment, width - 4).map((line) => `  # ${line}`);
      return [...lines, `  $ ${command}`].join('\n');
    })
    .join('\n\n');
}

/** Indents one paragraph by two spaces. Returns an empty text for an empty paragraph. */
export function indented(line: string, width: number): string {
  if (line === '') return '';
  return wrap(line, width - 2)
    .map((one) => `  ${one}`)
    .join('\n');
}

/** Wraps paragraphs at the given width. */
export function wrapped(text: string, width: number): string {
  return wrap(text, width).join('\n');
}

/** Formats a section of a help text. Returns an empty text for an empty body. */
export function block(title: string, body: string): string {
  return body === '' ? '' : `${title}:\n${body}`;
}

/** Joins sections with blank lines and omits empty sections. */
export function page(blocks: readonly string[]): string {
  return `${blocks.filter((one) => one !== '').join('\n\n')}\n`;
}
