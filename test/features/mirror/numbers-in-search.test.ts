import { describe, expect, it } from 'vitest';
import {
  namesNumber,
  numberInWords,
  withoutNumbers,
} from '../../../src/features/mirror/numbers-in-search.ts';

const number = '+15555550100';

describe('phone numbers in a search', () => {
  it.each([
    ['from:+15555550100 refund', 'from:(number) refund'],
    ['"+1 555 555 0100"', '"(number)"'],
    ['"(555) 555-0100" refund', '"(number)" refund'],
    ['(5555550100)', '((number))'],
    ['"1-555 555.0100"', '"(number)"'],
    ['after:2026-01-01 5555550100', 'after:2026-01-01 (number)'],
    ['5555550100 +1 415 555 0123', '(number) (number)'],
    ['4155550123 5555550100', '(number)'],
  ])('are found in %s', (search, replaced) => {
    expect(withoutNumbers(search)).toBe(replaced);
    expect(namesNumber(search, number)).toBe(true);
  });

  it.each([
    'after:2026-01-01 before:2026-02-01',
    'after:2026-01-01T09:00 refund 12',
    'from:zoe "room 101 to 104"',
  ])('are not found in %s', (search) => {
    expect(withoutNumbers(search)).toBe(search);
    expect(namesNumber(search, number)).toBe(false);
  });

  it.each(['from:+14155550123', '"+1 415 555 0123"'])('are not confused with the number of %s', (search) => {
    expect(namesNumber(search, number)).toBe(false);
  });

  it.each([
    ['refund +1 (555) 555-0100', '+1 (555) 555-0100'],
    ['"555-5550100" from:zoe', '555-5550100'],
    ['with:+15555550100 -from:"+1 415 555 0123" after:2026-01-01', undefined],
    ['from:4155550123 2026-01-01 room 12', undefined],
  ])('are found only among the words of %s', (search, found) => {
    expect(numberInWords(search)).toBe(found);
  });
});
