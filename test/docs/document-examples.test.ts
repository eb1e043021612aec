import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { documentFiles, partsOf, programLineOf, stepsOf } from '../support/document-examples.ts';

const env = { name: 'Support', ARCHIVE: 'postgres:///archive', other: 'Sales' };

it.each([
  ['npx ucctl queue list', ['queue', 'list']],
  ['ucctl queue show Support', ['queue', 'show', 'Support']],
  [`ucctl sms send "Two words" --where 'a == "b"'`, ['sms', 'send', 'Two words', '--where', 'a == "b"']],
  ['ucctl sms send "Thank you!"', ['sms', 'send', 'Thank you!']],
  ['ucctl queue show $name', ['queue', 'show', 'Support']],
  ['ucctl sync --store "$ARCHIVE"', ['sync', '--store', 'postgres:///archive']],
  [`ucctl queue list --jq '$name'`, ['queue', 'list', '--jq', '$name']],
] as const)('a line that only calls the program runs in process: %s', (text, words) => {
  expect(partsOf(`${text}\n`)).toEqual([{ kind: 'calls', lines: [text] }]);
  expect(programLineOf(text, env)).toEqual({ words, file: undefined });
});

it('output goes to the file that a line names', () => {
  expect(programLineOf('ucctl queue export > queues.yaml', {})).toEqual({
    words: ['queue', 'export'],
    file: 'queues.yaml',
  });
});

it('a variable must be set to one word', () => {
  expect(() => programLineOf('ucctl queue show $name', {})).toThrow('$name is not set');
  expect(() => programLineOf('ucctl queue show $name', { name: 'a b' })).toThrow('$name has a space');
});

it.each([
  'ucctl queue list | head',
  'ucctl queue show "${name}"',
  'ucctl queue show "$(cat name)"',
  'ucctl queue list || echo failed',
  'ucctl queue list; ls',
  'ucctl queue list &',
  'ucctl queue list 2> error.json',
  'ucctl queue list >> queues.txt',
  'ucctl queue show *',
  'ucctl sms send "Hello! Bye"',
  'ucctl api account/~/extension',
  'eval "$(ucctl sandbox env)"',
  'ucctl sandbox exec -- sh job.sh',
  'ucctl events replay last --exec cat',
  '# only a comment',
  'ucctl',
])('a line is typed into a shell: %s', (text) => {
  expect(partsOf(text)).toEqual([{ kind: 'shell', text }]);
});

it('a block is split between its lines', () => {
  expect(partsOf('createdb docs\nexport A=1\nucctl store init\nucctl store check\nls\n')).toEqual([
    { kind: 'shell', text: 'createdb docs\nexport A=1' },
    { kind: 'calls', lines: ['ucctl store init', 'ucctl store check'] },
    { kind: 'shell', text: 'ls' },
  ]);
});

it.each([
  'if true; then\n  ucctl queue list\nfi',
  'for name in a b; do\nucctl queue show $name\ndone',
  'ucctl queue list |\nucctl queue apply',
  'echo a \\\nucctl queue list',
  'while read -r line\ndo\nucctl queue list\ndone',
  "printf 'a\nucctl queue list' > lines",
  'cat <<END\nucctl queue list\nEND',
  'cd folder\nucctl queue list',
])('a command of several lines is typed into one shell: %s', (text) => {
  expect(partsOf(text)).toEqual([{ kind: 'shell', text }]);
});

it('no example signs in with a password, which a sandbox of dialect current does not accept', () => {
  const lines = documentFiles()
    .flatMap((file) => stepsOf(readFileSync(file, 'utf8')))
    .flatMap(({ text }) => text.split('\n'));
  expect(lines.filter((line) => line.includes('--assertion-stdin')).length).toBeGreaterThan(5);
  expect(lines.filter((line) => line.includes('--flow password'))).toEqual([]);
});
