import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ConnectionError,
  RateLimitError,
  SignInRequiredError,
} from '../../../src/errors/service.ts';
import { afterFailure } from '../../../src/features/fleet/after-failure.ts';
import {
  FencedError,
  OtherAccountSessionError,
  PermanentTaskError,
  Released,
  StalledError,
  UnreachableError,
  UnsuitableSessionError,
} from '../../../src/features/fleet/task-errors.ts';

const request = { method: 'GET', path: '/restapi/v1.0/account/~/extension/1/message-sync' };
const rejected = (status: number) =>
  new ApiError({ status, errorCode: 'CMN-102', message: 'rejected', request });

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
    const error = new ApiError({ status: 403, errorCode, message: 'rejected', request });
    expect(afterFailure(error, { attempts: 1 })).toMatchObject({ result });
  });
});

describe('the end of an attempt', () => {
  const normal = { isOfConnection: false, endsSession: false };
  const ended = { ...normal, result: 'released', endsSession: true };

  it.each([
    ['another worker has the task', new FencedError('101'), { ...normal, result: 'fenced' }],
    ['the worker stops', new Released(), { ...normal, result: 'released' }],
    [
      'the service is unreachable',
      new UnreachableError(),
      { ...normal, result: 'released', isOfConnection: true },
    ],
    ['the session has expired', new SignInRequiredError('expired', 'expired'), ended],
    ['the session is that of another account', new OtherAccountSessionError('other'), ended],
    ['the service rejects the token', rejected(401), ended],
    ['a reply is silent', new StalledError(6), { ...normal, result: 'retry', isOfConnection: true }],
    [
      'the connection is lost',
      new ConnectionError('ECONNRESET', 'unknown', 'http://127.0.0.1', undefined),
      { ...normal, result: 'retry', isOfConnection: true },
    ],
    [
      'the rate limit requires a wait',
      new RateLimitError('Heavy', 77, request),
      { ...normal, result: 'retry', retryMilliseconds: 77_000 },
    ],
    ['a legal hold stops the task', new PermanentTaskError('hold'), { ...normal, result: 'failed' }],
    [
      'the sign-in is unsuitable',
      new UnsuitableSessionError('other mailbox'),
      { ...normal, result: 'rejected' },
    ],
    ['the service rejects the request (403)', rejected(403), { ...normal, result: 'rejected' }],
    ['the service rejects the request (404)', rejected(404), { ...normal, result: 'rejected' }],
    [
      'the service fails',
      rejected(500),
      { ...normal, result: 'retry', retryMilliseconds: 10_000, problem: 'rejected' },
    ],
  ])('if %s', (_, error, failure) => {
    expect(afterFailure(error, { attempts: 2 })).toMatchObject(failure);
  });
});
