import { expect, it } from 'vitest';
import { type Book, exampleNoun, noon } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';

const rows: readonly Book[] = [
  { id: 10, name: 'b10', status: 'Enabled', tags: [{ word: 'x' }] },
  { id: 9, name: 'b9', status: 'Disabled' },
  { id: 9_007_199_254_740_993n, name: 'a', status: 'Enabled', tags: [{ word: 'w' }] },
  { id: 11, name: 'c' },
];
const run = (argv: string) => runUcctl(argv, { nouns: [exampleNoun({ rows })], now: noon });
const order = async (flags: string): Promise<readonly string[]> =>
  (await run(`book list --fields name ${flags}`)).stdout.trimEnd().split('\n');

it.each([
  ['--sort id', ['b9', 'b10', 'c', 'a']],
  ['--sort id:desc', ['a', 'c', 'b10', 'b9']],
  ['--sort name', ['a', 'b9', 'b10', 'c']],
  ['--sort status,id:desc', ['b9', 'a', 'b10', 'c']],
  ['--sort status:desc --sort name', ['a', 'b10', 'b9', 'c']],
  ['--sort tags.0.word', ['a', 'b10', 'b9', 'c']],
])('%s', async (flags, names) => {
  expect(await order(flags)).toEqual(names);
});

it('orders every format, by columns and by fields of the record', async () => {
  const ids = (JSON.parse((await run('book list --sort id -o json')).stdout) as Book[]).map(
    ({ name }) => name,
  );
  expect(ids).toEqual(['b9', 'b10', 'c', 'a']);
});

it.each(['--sort nothing', '--sort :desc', '--sort a:up'])('%s exits with 2', async (flags) => {
  expect(await run(`book list ${flags}`)).toMatchObject({ exit: 2, stdout: '' });
});

it('accepts every field of the command, even if no record has it', async () => {
  const nouns = [
    exampleNoun({
      rows: [
        { id: 2, name: 'b' },
        { id: 1, name: 'a' },
      ],
    }),
  ];
  const { exit, stdout } = await runUcctl('book list --sort tags,id --fields id -o csv', { nouns });
  expect([exit, stdout]).toEqual([0, 'id\r\n1\r\n2\r\n']);
});

it('is rejected for live streams', async () => {
  expect(await run('book follow --sort id')).toMatchObject({ exit: 2, stdout: '' });
});
