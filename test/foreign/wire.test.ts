import { expect, it } from 'vitest';
import { wireFaults } from './wire/faults.ts';

it('knows at least 125 faults of a wire, each by its own name', () => {
  const names = new Set(wireFaults.map(({ name }) => name));
  expect([names.size, names.size >= 125]).toEqual([wireFaults.length, true]);
});
