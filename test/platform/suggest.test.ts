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

it('suggests similar names, most similar first', () => {
  expect(suggest('lits', ['list', 'lint', 'delete'])).toEqual(['list']);
  expect(suggest('subs', ['subscribe', 'sms'])).toEqual(['subscribe']);
  expect(suggest('frobnicate', ['list', 'delete'])).toEqual([]);
});
