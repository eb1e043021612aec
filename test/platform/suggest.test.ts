import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { distance, suggest } from '../../src/platform/suggest.ts';

it.each([
  ['queue', 'queue', 0],
  ['qeuue', 'queue', 1],
  ['quue', 'queue', 1],
  ['queuee', 'queue', 1],
  ['cat', 'dog', 3],
])('%s to %s is %i edits', (a, b, edits) => {
  expect(distance(a, b)).toBe(edits);
});

it('the distance with a limit is exact up to the limit, and greater for other words', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(word, word, fc.nat({ max: 5 }), (a, b, limit) => {
      const exact = distance(a, b);
      const limited = distance(a, b, limit);
      expect(exact <= limit ? limited : limited > limit).toBe(exact <= limit ? exact : true);
    }),
    { seed: 5, numRuns: 500 },
  );
  expect(distance('abcdefgh', 'stuvwxyz', 2)).toBe(Infinity);
});

it('suggests similar names, most similar first', () => {
  expect(suggest('lits', ['list', 'lint', 'delete'])).toEqual(['list']);
  expect(suggest('subs', ['subscribe', 'sms'])).toEqual(['subscribe']);
  expect(suggest('frobnicate', ['list', 'delete'])).toEqual([]);
});
