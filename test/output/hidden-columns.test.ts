import { describe, expect, it } from 'vitest';
import { exampleNoun, nounWith } from '../support/example-noun.ts';
import { runUcctl } from '../support/run-ucctl.ts';
import { ucctl } from '../../src/errors/hint.ts';

const rows = Array.from({ length: 2500 }, (_, id) => ({
  id,
  name: 'Ada'.padEnd(20, 'x'),
  phone: '+15550100',
  status: 'Enabled',
}));
const nouns = [exampleNoun({ rows: rows.slice(0, 3) })];

/** A message without the line breaks of a narrow terminal. */
function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/gu, ' ');
}

describe('the note about hidden columns', () => {
  it('names them after the list, on stderr', async () => {
    const { stdout, stderr } = await runUcctl('book list --color never', { nouns, terminal: 40 });
    expect(stdout).not.toContain('ID');
    expect(oneLine(stderr)).toBe('2 columns hidden: ID, Changed (empty); use --fields or -o json');
  });

  it('appears once for a long list, which is written in blocks', async () => {
    const long = [exampleNoun({ rows })];
    const { stderr } = await runUcctl('book list', { nouns: long, terminal: 40 });
    expect(stderr.match(/hidden/g)).toHaveLength(1);
  });

  it('appears once for a command that writes several lists', async () => {
    const columns = ['one', 'two', 'three'].map((key) => ({
      key,
      title: key,
      value: () => 'x'.repeat(16),
    }));
    const noun = nounWith(async (ctx) => {
      await ctx.out.list([{ id: 1 }], { columns });
      await ctx.out.list([{ id: 2 }], { columns });
    });
    const { stderr } = await runUcctl('book put 1', { nouns: noun, terminal: 40 });
    expect(oneLine(stderr)).toBe('1 column hidden: three; next time, use --fields or -o json');
  });

  it('never advises to repeat a change, and names the command that shows it again', async () => {
    const columns = ['one', 'two', 'three'].map((key) => ({ key, title: key, value: () => 'x'.repeat(16) }));
    const noun = nounWith((ctx) => ctx.out.list([{ id: 1 }], { columns, again: ucctl('history show RUN') }));
    const { stderr } = await runUcctl('book put 1', { nouns: noun, terminal: 40 });
    expect(oneLine(stderr)).toBe('1 column hidden: three; show the changes again: ucctl history show RUN');
  });

  it('names hidden columns without values', async () => {
    const columns = ['one', 'two', 'three'].map((key) => ({
      key,
      title: key,
      value: () => (key === 'three' ? undefined : 'x'.repeat(16)),
    }));
    const noun = nounWith((ctx) => ctx.out.list([{ id: 1 }], { columns }));
    const { stderr } = await runUcctl('book put 1 --dry-run', { nouns: noun, terminal: 36 });
    expect(oneLine(stderr)).toBe('1 column hidden: three (empty); use --fields or -o json');
  });

  it('advises fewer fields if the user selected them', async () => {
    const { stderr } = await runUcctl('book list --fields name,phone,status', { nouns, terminal: 30 });
    expect(oneLine(stderr)).toBe('1 column hidden: Phone; use fewer --fields or -o json');
  });

  it('does not appear if all columns fit, in a pipe, in other formats and under --quiet', async () => {
    const silent = ['book list -o json', 'book list -o csv', 'book list --quiet', 'book list --fields id'];
    for (const line of silent)
      expect([line, (await runUcctl(line, { nouns, terminal: 40 })).stderr]).toEqual([line, '']);
    for (const line of ['book list', 'book list -o table'])
      expect([line, (await runUcctl(line, { nouns })).stderr]).toEqual([line, '']);
    expect((await runUcctl('book list', { nouns, terminal: 200 })).stderr).toBe('');
  });
});
