import { flagTerm, explained } from '../../src/cli/help-parts.ts';
import { globalOptionsFor } from '../../src/cli/global-options.ts';
import { defaultFolders, environment } from '../../src/cli/topics/environment.ts';
import { exitCodes } from '../../src/cli/topics/exit-codes.ts';
import { topics } from '../../src/cli/topics/names.ts';
import { fieldsOf, permissionLines, type NounSpec } from '../../src/runtime/define.ts';
import { commandHelpParts } from './command-parts.ts';

/** The manual: one page for the tool and one for each noun, by file name. */
export function manualPages(nouns: readonly NounSpec[], version: string): ReadonlyMap<string, string> {
  return new Map([
    ['ucctl.1', toolPage(nouns, version)],
    ...nouns.map((noun) => [`ucctl-${noun.name}.1`, nounPage(noun, version)] as const),
  ]);
}

function toolPage(nouns: readonly NounSpec[], version: string): string {
  return lines([
    head('ucctl', version),
    section('NAME', 'ucctl \\- queues, calls, messages and live events of a business telephone service'),
    section('SYNOPSIS', '.B ucctl\nNOUN VERB [ARGUMENTS] [FLAGS]'),
    section('COMMANDS', terms(nouns.map(({ name, summary }) => [name, `${summary}. See ucctl-${name}(1).`]))),
    section(
      'FLAGS OF EVERY COMMAND',
      terms(
        Object.entries(globalOptionsFor(undefined)).map(([key, option]) => [
          flagTerm(key, option).trim(),
          explained(option),
        ]),
      ),
    ),
    section('TOPICS', terms(Object.entries(topics).map(([name, text]) => [`ucctl help ${name}`, text]))),
    section('EXIT STATUS', terms(exitCodes)),
    section('ENVIRONMENT', terms(environment)),
    section('FILES', terms(defaultFolders)),
  ]);
}

function nounPage(noun: NounSpec, version: string): string {
  const commands = noun.commands.map((spec) => {
    const { usage, args, flags, exits } = commandHelpParts(spec);
    return lines([
      `.SS ${quoted(spec.path.join(' '))}`,
      `.B ${text(usage)}`,
      '.PP',
      text(`${spec.summary}.`),
      ...(spec.description ? ['.PP', text(spec.description)] : []),
      ...(spec.details ?? '')
        .split('\n\n')
        .flatMap((paragraph) => (paragraph === '' ? [] : ['.PP', text(paragraph)])),
      terms([...args, ...flags]),
      ...permissionLines(spec).flatMap(([dialect, names]) =>
        facts(dialect === undefined ? 'Permissions' : `Permissions in dialect ${dialect}`, names),
      ),
      ...facts('Usage group', spec.rateGroup ? [spec.rateGroup] : []),
      ...facts('JSON fields', fieldsOf(spec)),
      ...(exits.length > 0 ? ['.PP', 'Exit status:', terms(exits)] : []),
      ...spec.examples.flatMap(({ comment, command }) => [
        '.PP',
        `${text(comment)}:`,
        '.PP',
        '.nf',
        text(`    ${command}`),
        '.fi',
      ]),
    ]);
  });
  return lines([
    head(`ucctl-${noun.name}`, version),
    section('NAME', `ucctl\\-${text(noun.name)} \\- ${text(noun.summary)}`),
    section('COMMANDS', lines(commands)),
    section('SEE ALSO', '.BR ucctl (1)'),
  ]);
}

function facts(title: string, names: readonly string[]): readonly string[] {
  return names.length > 0 ? ['.PP', text(`${title}: ${names.join(', ')}`)] : [];
}

function head(name: string, version: string): string {
  return `.\\" Made by scripts/documents.ts\n.TH ${quoted(name.toUpperCase())} 1 "" ${quoted(`ucctl ${version}`)}`;
}

function section(title: string, body: string): string {
  return `.SH ${quoted(title)}\n${body}`;
}

function terms(rows: readonly (readonly [string, string])[]): string {
  return lines(
    rows.flatMap(([term, about]) => ['.TP', `.B ${text(term)}`, text(about === '' ? ' ' : about)]),
  );
}

/** Escapes text for roff: no line becomes a request, and hyphens can be copied. */
function text(words: string): string {
  return (
    words
      .replaceAll('\\', '\\e')
      .replaceAll('-', '\\-')
      .replaceAll('"', '\\(dq')
      .replaceAll('\n', ' ')
      // troff reads bytes, so other characters are written by their code point.
      .replaceAll(/[^\p{ASCII}]/gu, (character) => `\\[u${hexadecimal(character)}]`)
      .replace(/^(?=[.'])/, '\\&')
  );
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

function quoted(words: string): string {
  return `"${text(words)}"`;
}

function lines(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}
