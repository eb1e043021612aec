import { expect, it } from 'vitest';
import { ApiError } from '../../src/errors/service.ts';
import { classifyError } from '../../src/features/bulk/error-class.ts';
import { mayBeMade } from '../../src/runtime/confirmed-change.ts';

it.each([
  [501, false],
  [505, false],
  [500, true],
  [503, true],
  [408, true],
  [400, false],
])('a single change and a row of a run with HTTP %i may have been made: %s', (status, isPossible) => {
  const error = new ApiError({
    status,
    errorCode: 'CMN-101',
    message: 'no',
    request: { method: 'PUT', path: '/restapi/v1.0/account/~/extension/~/presence' },
  });
  expect([mayBeMade(error), classifyError(error, 1) === 'unknown']).toEqual([isPossible, isPossible]);
});
