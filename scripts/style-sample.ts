// Prints a random sample of strings, document sentences and comments, for reviews of the language.
// The same seed gives the same sample of one state of the repository. Usage: node scripts/run.mjs style-sample SEED
import { Dice } from '../test/support/dice.ts';
import { type Fragment } from './style/fragment.ts';
import { fragmentsOf, textFiles } from './style/fragments.ts';
import { sentencesIn } from './style/sentences.ts';
import { isBelow, readWordList } from './style/word-list.ts';

const counts = { strings: 100, sentences: 40, comments: 40 } as const;
const seed = Number(process.argv[2]);
if (!Number.isSafeInteger(seed)) {
  process.stderr.write('style-sample: SEED is not an integer; try: node scripts/run.mjs style-sample 1\n');
  process.exit(2);
}

const { notRead } = readWordList();
const documents = [
  'docs',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'ARCHITECTURE.md',
  'bench/README.md',
];
const prose = textFiles(documents)
  .filter((file) => file.endsWith('.md') && !isBelow(file, notRead))
  .flatMap((file) => fragmentsOf(file))
  .filter(({ kind }) => kind === 'prose')
  .flatMap(({ file, line, kind, text }) =>
    sentencesIn(text).map((sentence): Fragment => ({ file, line, kind, text: sentence })),
  )
  .filter(({ text }) => wordCount(text) >= 4);
const code = textFiles(['src']).flatMap((file) => fragmentsOf(file));
const strings = code.filter(({ kind, text }) => kind === 'string' && isForPeople(text));
const comments = code.filter(({ kind, text }) => kind === 'comment' && wordCount(text) >= 4);

const dice = new Dice(seed);
show('Strings', sample(strings, counts.strings));
show('Sentences of documents', sample(prose, counts.sentences));
show('Comments', sample(comments, counts.comments));

/** Whether a string is a text: at least three words, no command, no SQL, no markup and no pattern. */
function isForPeople(text: string): boolean {
  return (
    wordCount(text) >= 3 &&
    !/^(ucctl|npx) /.test(text) &&
    !/^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|WITH|ALTER|PRAGMA|FROM|WHERE|ORDER|AND|JOIN|BEGIN)\b/.test(
      text,
    ) &&
    // SQL for PostgreSQL is in lower case.
    !/^\s*(select|insert into|update \w+ set|delete from|create (temporary |or replace )?(table|function|view|schema)|with \w+ as|grant|revoke|truncate|declare|alter)\b.*(\bfrom\b|\binto\b|\btable\b|\bon\b|\bcursor\b|\(|\bset\b)/s.test(
      text,
    ) &&
    !/[{}<>]|=>|\bfunction\b/.test(text.replaceAll('${…}', ''))
  );
}

function wordCount(text: string): number {
  return text.split(/\s+/).filter((word) => /[A-Za-z]/.test(word)).length;
}

function sample(all: readonly Fragment[], count: number): readonly Fragment[] {
  const left = [...all];
  return Array.from(
    { length: Math.min(count, left.length) },
    () => left.splice(dice.integer(0, left.length - 1), 1)[0],
  ).filter((one) => one !== undefined);
}

function show(title: string, fragments: readonly Fragment[]): void {
  console.log(`\n${title} (${fragments.length})`);
  for (const [at, { file, line, text }] of fragments.entries()) {
    console.log(`${at + 1}. ${file}:${line}  ${text.replaceAll(/\s+/g, ' ')}`);
  }
}
