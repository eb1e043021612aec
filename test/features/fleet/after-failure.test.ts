import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError } from '../../../src/errors/service.ts';
import { afterFailure } from '../../../src/features/fleet/after-failure.ts';
import { StalledError } from '../../../src/features/fleet/task-errors.ts';

describe('the next attempt of a task', () => {
  it.each([
    ['a lost connection', new ConnectionError('ECONNRESET', 'unknown', 'http://127.0.0.1', undefined)],
    ['a silent reply', new StalledError(6)],
  ])('is due at once after %s, because another worker may reach the service, but not forever', (_, error) => {
    const delays = [1, 5, 6, 7, 8, 13, 40].map(
      (attempts) => afterFailure(error, { attempts }).retryMilliseconds,
    );
    expect(delays).toEqual([0, 0, 5000, 10_000, 20_000, 600_000, 600_000]);
  });

  it.each([
    ['CMN-408', 'rejected'],
    ['HTTP-403', 'retry'],
  ])('spec:ERROR-1: follows a 403 with the code %s: %s', (errorCode, result) => {
    const request = { method: 'GET', path: '/restapi/v1.0/account/~/extension/1/message-sync' };
    const error = new ApiError({ status: 403, errorCode, message: 'rejected', request });
    expect(afterFailure(error, { attempts: 1 })).toMatchObject({ result });
  });
});
