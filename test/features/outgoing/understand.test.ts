import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { understandNumber } from '../../../src/features/outgoing/index.ts';

describe('a number as people type it', () => {
  it.each([
    ['+16505550112', undefined, '+16505550112', '+16505550112'],
    ['+1 (650) 555-0112', undefined, '+16505550112', '+16505550112 (US)'],
    ['(650) 555-0112', 'US', '+16505550112', '+16505550112 (US)'],
    ['1-650-555-0112', 'US', '+16505550112', '+16505550112 (US)'],
    ['030 1234567', 'DE', '+49301234567', '+49301234567 (DE)'],
    ['0049 30 1234567', 'DE', '+49301234567', '+49301234567 (DE)'],
    ['020 7946 0000', 'GB', '+442079460000', '+442079460000 (GB)'],
  ])('%j in %s is %s', async (typed, country, number, shown) => {
    expect(await understandNumber(typed, country)).toEqual({ number, typed, shown });
  });

  it.each([
    ['6505550112', undefined, 'no country for it'],
    ['hello', 'US', 'not an E.164 number'],
    ['call (650) 555-0112 now', 'US', 'not an E.164 number'],
    ['555-01', 'US', 'not complete'],
    ['+1 650 555 0112 ext. 4', undefined, 'has an extension (4)'],
    ['102', 'US', 'not an E.164 number'],
    ['', 'US', 'not an E.164 number'],
    ['030 1', 'XX', 'there is no country XX'],
  ])('%j in %s is refused: %s', async (typed, country, words) => {
    await expect(understandNumber(typed, country)).rejects.toThrow(words);
  });

  it('property: E.164 passes as it is, and what comes out is E.164 always', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^\+[1-9]\d{6,14}$/), async (number) => {
        expect((await understandNumber(number, 'DE')).number).toBe(number);
      }),
      { seed: 3 },
    );
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[\d ().+-]{1,20}$/), async (typed) => {
        const found = await understandNumber(typed, 'US').catch(() => undefined);
        expect(found?.number ?? '+10000000').toMatch(/^\+[1-9]\d{6,14}$/);
      }),
      { seed: 4, numRuns: 300 },
    );
  });
});
