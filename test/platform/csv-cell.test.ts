import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeFormula, unescapeFormula } from '../../src/platform/csv-cell.ts';

describe('a CSV cell', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ["'=1+1", "''=1+1"],
    ['\n=1+1', "'\n'=1+1"],
    // In a locale whose separator is a semicolon, the spreadsheet divides this cell of a file with commas.
    ['Sales;=1+1', "Sales;'=1+1"],
    ['Hello\n=1+1;', "Hello\n'=1+1;"],
    ['a\t@SUM(1)', "a\t'@SUM(1)"],
    ['+16505550112;+1+1', "+16505550112;'+1+1"],
  ])('spec:CLIENT-8 %j has no formula as %j', (text, escaped) => {
    expect(escapeFormula(text)).toBe(escaped);
    expect(unescapeFormula(escaped)).toBe(text);
  });

  it.each([
    '+16505550112',
    'a=1',
    "'t Hooft",
    'Hello,\n\nsee you; Mei',
    '2026-01-02',
    '+16505550112;+16505550113',
  ])('%j is not a formula', (text) => {
    expect(escapeFormula(text)).toBe(text);
    expect(unescapeFormula(text)).toBe(text);
  });

  it('property: every text is restored', () => {
    const character = fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', ';', "'", '1', 'a', ' ');
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 9 }), (text) => {
        expect(unescapeFormula(escapeFormula(text))).toBe(text);
      }),
      { seed: 5, numRuns: 5000 },
    );
  });
});
