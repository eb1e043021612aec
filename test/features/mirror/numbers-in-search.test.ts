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

  it.each([
    'from:07911123456',
    'from:"07911 123456"',
    '"(0)7911 123456"',
    'from:"+44 (0)7911 123456"',
    'from:+4407911123456',
    'from:00447911123456',
    '"011 44 7911 123456"',
    'with:4155550123 with:07911123456',
    '4155550123 07911123456',
  ])('are found with a trunk prefix or an international prefix in %s', (search) => {
    expect(namesNumber(search, '+447911123456')).toBe(true);
    expect(namesNumber(search, '+447911123457')).toBe(false);
  });

  it.each([
    ['from:"8 912 345-67-89"', '+79123456789'],
    ['from:"06 20 123 4567"', '+36201234567'],
    ['from:"06 1234 5678"', '+390612345678'],
    ['from:"06 1 234 5678"', '+3612345678'],
    ['from:"+36 (06) 1 234 5678"', '+3612345678'],
    ['from:+360612345678', '+3612345678'],
    ['from:"+36 06 20 123 4567"', '+36201234567'],
    ['from:"+36 0 62 123 456"', '+3662123456'],
    ['from:+390612345678', '+390612345678'],
    ['from:"0664 1234567"', '+436641234567'],
  ])('are found with the trunk prefix of other countries in %s', (search, found) => {
    expect(namesNumber(search, found)).toBe(true);
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
