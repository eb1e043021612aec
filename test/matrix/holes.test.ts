import { expect, it } from 'vitest';
import { registry } from '../../src/cli/registry.ts';
import { liveCases, messageCases, phoneCases, setupCases } from './all-cases.ts';

it('the matrix has no hole: every noun of the registry has its cases', () => {
  const known = Object.keys({ ...phoneCases, ...messageCases, ...liveCases, ...setupCases });
  expect(known.toSorted()).toEqual(registry.map(({ name }) => name).toSorted());
});
