import { expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { allCases } from './all-cases.ts';

it('the matrix is complete: every noun of the registry has its cases', () => {
  expect(Object.keys(allCases).toSorted()).toEqual(registry.map(({ name }) => name).toSorted());
});
