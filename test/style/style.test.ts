import { describe, expect, it } from 'vitest';
import { checkStyle, shownFinding } from '../../scripts/style/check.ts';
import { fragmentsOf } from '../../scripts/style/fragments.ts';
import { helpProblems } from '../../scripts/style/help-rules.ts';
import { longSentences, sentencesIn } from '../../scripts/style/sentences.ts';
import { type Finding, readWordList, wordFinder } from '../../scripts/style/word-list.ts';

const list = readWordList();
const findWords = wordFinder(list);
const found = (file: string, source: string): readonly string[] =>
  findWords(fragmentsOf(file, source)).map(({ line, text }) => `${line} ${text}`);

describe('the language of the repository', () => {
  it('has no private words and follows the rules for help', async () => {
    const { findings, warnings } = await checkStyle();
    report(warnings);
    expect(findings.map(shownFinding)).toEqual([]);
  });
});

function report(warnings: readonly Finding[]): void {
  const counts = new Map<string, number>();
  for (const { file } of warnings) counts.set(file, (counts.get(file) ?? 0) + 1);
  for (const [file, count] of counts)
    process.stderr.write(`${file}: ${count} sentences of more than 30 words\n`);
}

describe('the style check', () => {
  it('finds private words in names, strings and comments, with their line', () => {
    const bad = [
      'export const wishOptions = 1;',
      "const message = `${name} is no ` + 'agent';",
      '// The first failure',
      '// is told.',
      'const carriageReturn = message;',
    ].join('\n');
    expect(found('src/verdict-of.ts', bad)).toEqual([
      '1 file name "verdict of"',
      '1 identifier "wish options"',
      '2 "${…} is no agent"',
      '3 "The first failure is told."',
      '5 identifier "carriage return"',
    ]);
  });

  it('finds them in prose, tables and code blocks of documents', () => {
    const bad = [
      '# What stands here',
      '',
      'Two names',
      'lead nowhere.',
      '| a | mend it |',
      '```',
      'it is so already',
      '```',
    ];
    expect(found('docs/x.md', bad.join('\n'))).toEqual([
      '1 "What stands here"',
      '3 "Two names lead nowhere."',
      '5 "mend it"',
      '7 "it is so already"',
    ]);
  });

  it('accepts ordinary English, names of modules and words that are parts of others', () => {
    const good = [
      "import { x } from './wish.ts';",
      '// There is no longer a limit, and there is none for fax. UTC stands for the zone.',
      "const amendment = 'keep the subscription, hold the call, and tell the two apart';",
    ].join('\n');
    expect(found('src/x.ts', good)).toEqual([]);
  });

  it('accepts a word in a permitted place only', () => {
    const find = wordFinder({
      identifiers: [
        {
          pattern: '\\brefused\\b',
          use: 'rejected',
          permitted: [{ in: 'src/contract', reason: 'a status' }],
        },
      ],
      phrases: [],
      notRead: [],
    });
    const source = 'export const refused = 1;';
    expect(find(fragmentsOf('src/contract/a.ts', source))).toEqual([]);
    expect(find(fragmentsOf('src/contracts.ts', source))).toHaveLength(1);
  });

  it('has patterns that can match, none of them the empty text', () => {
    for (const { pattern, use } of [...list.identifiers, ...list.phrases]) {
      expect([pattern, new RegExp(pattern, 'i').test('')]).toEqual([pattern, false]);
      expect(use).not.toBe('');
    }
  });

  it('warns about a sentence of more than 30 words in a document, and counts code as one', () => {
    const text = `One. Many ${'words '.repeat(29)}end. See \`${'code '.repeat(40)}\`.`;
    expect(longSentences(fragmentsOf('docs/x.md', text)).map(({ use }) => use)).toEqual([
      '31 words: split the sentence',
    ]);
  });

  it('counts a sentence that begins with ucctl or with code as a separate sentence', () => {
    expect(sentencesIn('The run ends. ucctl lists it. "ucctl history" shows it.')).toHaveLength(3);
    const words = 'words '.repeat(20);
    const text = `One ${words}end. \`ucctl sync\` ${words}end. [A link](a.md) ${words}end.`;
    expect(longSentences(fragmentsOf('docs/x.md', text))).toEqual([]);
  });

  it('counts sentences without abbreviations and file names', () => {
    expect(sentencesIn('Reads a.csv, e.g. Support. Writes "b.csv." Ends')).toHaveLength(3);
  });

  it('finds problems of help', () => {
    const problems = helpProblems([
      {
        name: 'queue',
        summary: 'Call queues.',
        commands: [
          {
            path: ['queue', 'list'],
            summary: 'What a queue is',
            description: 'One. Two. Three. Four.',
            options: {
              maxItems: { type: 'integer', summary: 'Max items in one request' },
              exact: { type: 'boolean', summary: 'Add and remove agents' },
              queue: { type: 'string', positional: true, summary: 'Queue ID or name' },
            },
            examples: [],
          },
        ],
      },
    ]);
    expect(problems.map(({ path, problem }) => `${path}: ${problem}`)).toEqual([
      'queue: ends with a period',
      'queue list: does not begin with a noun or a verb',
      'queue list: more than 3 sentences: move the rest to "details"',
      'queue list --max-items: begins with the name of the option',
    ]);
  });
});
