import { describe, expect, it } from 'vitest';
import { maxChoices, searchNames } from '../../src/cli/search-names.ts';

const choices = [
  { value: '201', label: '201  Support        queue' },
  { value: '202', label: '202  Sales          queue' },
  { value: '104', label: '104  José Álvarez   agent', also: ['jose@example.com'] },
  { value: '105', label: '105  Chris Smith    agent', also: ['chris@example.com'] },
];
const found = (text: string): readonly string[] => searchNames(choices, text).found.map(({ value }) => value);

describe('the search in a list of names', () => {
  it.each([
    ['jose', '104'],
    ['ÁLVAREZ', '104'],
    ['alvarez jose', '104'],
    ['smith chris', '105'],
    ['201', '201'],
    ['supprt', '201'],
    ['chris@', '105'],
  ])('finds %s', (text, value) => {
    expect(found(text)[0]).toBe(value);
  });

  it('finds a kind', () => expect([...found('queue')].sort()).toEqual(['201', '202']));
  it('finds nothing for other letters', () => expect(found('zzz')).toEqual([]));
  it.each(['', '  '])('offers all names for the text "%s"', (text) =>
    expect(found(text)).toEqual(['201', '202', '104', '105']),
  );

  it('offers at most 50 names', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => ({
      value: `${index}`,
      label: `${index} Agent`,
    }));
    for (const text of ['', 'agent']) {
      const { found: offered, total } = searchNames(many, text);
      expect([offered.length, total]).toEqual([maxChoices, many.length]);
    }
  });
});
