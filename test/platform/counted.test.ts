import { expect, it } from 'vitest';
import { counted, isOrAre, plural, wasOrWere } from '../../src/platform/counted.ts';

it.each([
  [0, '0 rows', 'rows', 'are', 'were'],
  [1, '1 row', 'row', 'is', 'was'],
  [2, '2 rows', 'rows', 'are', 'were'],
])('words agree with %i', (count, ...words) => {
  expect(counted(count, 'fax', 'faxes')).toBe(`${count} ${count === 1 ? 'fax' : 'faxes'}`);
  expect([counted(count, 'row'), plural(count, 'row'), isOrAre(count), wasOrWere(count)]).toEqual(words);
});
