import { expect, it } from 'vitest';
import { wireFaults } from './wire/faults.ts';

it('defines at least 125 faults of a connection with unique names', () => {
  const names = new Set(wireFaults.map(({ name }) => name));
  expect([names.size, names.size >= 125]).toEqual([wireFaults.length, true]);
});
