import { expect, it } from 'vitest';
import { programLinesOf } from '../support/document-examples.ts';

it.each([
  [
    'npx ucctl queue list\nucctl queue show Support\n',
    [
      ['queue', 'list'],
      ['queue', 'show', 'Support'],
    ],
  ],
  [`ucctl sms send "Two words" --where 'a == "b"'`, [['sms', 'send', 'Two words', '--where', 'a == "b"']]],
] as const)('a block that only calls the program runs in process: %s', (text, expected) => {
  expect(programLinesOf(text)).toEqual(expected.map((words) => ({ words, file: undefined })));
});

it('output goes to the file that a line names', () => {
  expect(programLinesOf('ucctl queue export > queues.yaml')).toEqual([
    { words: ['queue', 'export'], file: 'queues.yaml' },
  ]);
});

it.each([
  'ucctl queue list | head',
  'ucctl queue show "$name"',
  'ucctl queue show $name',
  'ucctl queue list || echo failed',
  'ucctl queue list; ls',
  'ucctl queue list &',
  'ucctl queue list 2> error.json',
  'ucctl queue list >> queues.txt',
  'ucctl queue show *',
  'ucctl api account/~/extension',
  'eval "$(ucctl sandbox env)"',
  'ucctl queue list\ncat queues.txt',
  'ucctl sandbox exec -- sh job.sh',
  'ucctl events replay last --exec cat',
  '# only a comment',
  'ucctl',
])('a block is typed into a shell: %s', (text) => {
  expect(programLinesOf(text)).toBeUndefined();
});
