import { loadAll } from '../../src/cli/load-nouns.ts';
import { registry } from '../../src/cli/registry.ts';
import { fragmentsOf, textFiles } from './fragments.ts';
import { helpProblems, placeProblems } from './help-rules.ts';
import { longSentences } from './sentences.ts';
import { type Finding, isBelow, readWordList, wordFinder } from './word-list.ts';

/** Everything that is read. */
const roots = [
  'src',
  'console',
  'test',
  'scripts',
  'bench',
  'examples',
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
] as const;

/** What the style check found. */
interface StyleReport {
  readonly findings: readonly Finding[];
  /** Sentences of documents that are too long; they do not fail. */
  readonly warnings: readonly Finding[];
}

/** Checks the language of the repository, or of one file or folder of it. */
export async function checkStyle(only?: string): Promise<StyleReport> {
  const list = readWordList();
  const isRead = (file: string): boolean =>
    !isBelow(file, list.notRead) && (only === undefined || isBelow(file, [only]));
  const read = new Map(
    textFiles(roots)
      .filter(isRead)
      .map((file) => [file, fragmentsOf(file)] as const),
  );
  const fragments = [...read.values()].flat();
  const findWords = wordFinder(list);
  const specs = only === undefined || only.startsWith('src') ? await loadAll(registry) : [];
  const sources = textFiles(['src/commands', 'src/runtime', 'src/cli']).flatMap(
    (file) => read.get(file) ?? fragmentsOf(file),
  );
  const findings = [
    ...findWords(fragments),
    ...placeProblems(helpProblems(specs), sources).filter(({ file }) => isRead(file)),
  ];
  return { findings, warnings: longSentences(fragments) };
}

/** A finding as one line: its place, the text and the standard term. */
export function shownFinding({ file, line, text, use }: Finding): string {
  return `${file}:${line}  ${text}  ${use}`;
}
