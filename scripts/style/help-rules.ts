import type {
  CommandDescription,
  NounDescription,
  OptionSpec,
} from '../../src/runtime/command-description.ts';
import { type Fragment, wordsOf } from './fragment.ts';
import { sentencesIn } from './sentences.ts';
import type { Finding } from './word-list.ts';

/** Maximum number of sentences in a description. */
const mostSentences = 3;

/** A text of help with the command it belongs to, and what is wrong with it. */
export interface HelpProblem {
  /** `queue assign --exact`; of an option that several commands share, the first. */
  readonly path: string;
  readonly text: string;
  readonly problem: string;
}

/** Returns the problems in the help of nouns that a program can find: see "Language" in CONTRIBUTING.md. */
export function helpProblems(
  nouns: readonly Pick<NounDescription, 'name' | 'summary' | 'commands'>[],
): readonly HelpProblem[] {
  const all = nouns.flatMap(({ name, summary, commands }) => [
    ...summaryProblems(name, summary),
    ...commands.flatMap(commandProblems),
  ]);
  // Options that commands share are one text.
  return [
    ...new Map(all.toReversed().map((one) => [`${one.text}\n${one.problem}`, one])).values(),
  ].toReversed();
}

function commandProblems({
  path,
  summary,
  description,
  options,
}: Omit<CommandDescription, 'examples'>): readonly HelpProblem[] {
  const command = path.join(' ');
  const problems = [...summaryProblems(command, summary)];
  if (description !== undefined && sentencesIn(description).length > mostSentences)
    problems.push({
      path: command,
      text: description,
      problem: `more than ${mostSentences} sentences: move the rest to "details"`,
    });
  for (const [key, option] of Object.entries(options)) problems.push(...optionProblems(command, key, option));
  return problems;
}

function optionProblems(command: string, key: string, option: OptionSpec): readonly HelpProblem[] {
  const path = option.positional ? `${command} ${key}` : `${command} --${wordsOf(key).replaceAll(' ', '-')}`;
  const problems = [...summaryProblems(path, option.summary)];
  const start = wordsOf(option.summary).replace(/^(?:the|a|an) /, '');
  const isRepeated = start === wordsOf(key) || start.startsWith(`${wordsOf(key)} `);
  if (isRepeated && !option.positional)
    problems.push({ path, text: option.summary, problem: 'begins with the name of the option' });
  return problems;
}

function summaryProblems(path: string, text: string): readonly HelpProblem[] {
  const problems: HelpProblem[] = [];
  if (text.endsWith('.')) problems.push({ path, text, problem: 'ends with a period' });
  if (/^(?:what|who|whom|whose|which|where|whether|when|how|instead|as|that) /i.test(text))
    problems.push({ path, text, problem: 'does not begin with a noun or a verb' });
  return problems;
}

/** Gives each problem the place of its text in the source; the folder of the noun where the text is composed. */
export function placeProblems(
  problems: readonly HelpProblem[],
  fragments: readonly Fragment[],
): readonly Finding[] {
  const places = new Map(fragments.filter(({ kind }) => kind === 'string').map((one) => [one.text, one]));
  return problems.map(({ path, text, problem }) => {
    const { file, line } = places.get(text) ?? { file: `src/commands/${path.split(' ')[0] ?? ''}`, line: 1 };
    return { file, line, text: `${path}: "${text.slice(0, 60)}"`, use: problem };
  });
}
