import { describe, expect, it } from 'vitest';
import {
  ApiError,
  ConnectionError,
  OutcomeUnknownError,
  RateLimitError,
  ReplyError,
  SignInRequiredError,
  UntrustedHostError,
} from '../../../src/errors/service.ts';
import { classifyError, receiptOfError } from '../../../src/features/bulk/error-class.ts';

const request = { method: 'POST', path: '/x' };
const call = { method: 'POST', path: '/x' } as const;
const rejected = (status: number, errorCode = 'CMN-101') =>
  new ApiError({ status, errorCode, message: 'no', requestId: 'r-1', request });
/** A rejection of another server, which has no code of the service. */
const foreign = (status: number) => rejected(status, `HTTP-${status}`);
const lost = (reached: 'no' | 'unknown') =>
  new ConnectionError('ECONNRESET', reached, 'https://x.example', undefined);

describe('the class of an error', () => {
  it.each([
    [400, 'rejected', 'rejected'],
    [404, 'rejected', 'rejected'],
    [409, 'rejected', 'rejected'],
    [413, 'rejected', 'rejected'],
    [422, 'rejected', 'rejected'],
    // One item may be forbidden, and the others permitted.
    [403, 'rejected', 'stopped'],
    [401, 'stopped', 'stopped'],
    [429, 'stopped', 'stopped'],
    [408, 'unknown', 'unknown'],
    [500, 'unknown', 'unknown'],
    [503, 'unknown', 'unknown'],
  ])('with HTTP %i is %s for one item, and %s for several', (status, one, several) => {
    const error = rejected(status);
    expect([classifyError(error, 1), classifyError(error, 2)]).toEqual([one, several]);
  });

  it.each([
    [400, 'stopped'],
    [403, 'stopped'],
    [404, 'stopped'],
    [413, 'rejected'],
    [502, 'unknown'],
    [408, 'unknown'],
  ])('of another server with HTTP %i is %s', (status, expected) => {
    expect(classifyError(foreign(status), 1)).toBe(expected);
  });

  it.each([
    ['a connection that did not reach the service', lost('no'), 'stopped'],
    ['a lost connection', lost('unknown'), 'unknown'],
    ['an unknown outcome', new OutcomeUnknownError(request, undefined), 'unknown'],
    ['an unreadable reply', new ReplyError(200, call, 'no JSON'), 'unknown'],
    ['the rate limit', new RateLimitError('Heavy', 60, request), 'stopped'],
    ['an expired session', new SignInRequiredError('expired', 'the session has expired'), 'stopped'],
    ['a value that is not an error', 'text', 'unknown'],
  ])('of %s is known', (_, error, expected) => {
    expect(classifyError(error, 1)).toBe(expected);
  });
});

it.each([
  [rejected(400), { code: 'CMN-101', message: 'no', requestId: 'r-1' }],
  [lost('unknown'), { code: 'ECONNRESET', requestId: undefined }],
  [new OutcomeUnknownError(request, undefined), { code: 'outcome_unknown' }],
  [new ReplyError(200, call, 'no JSON'), { code: 'bad_reply' }],
  [new ReplyError(200, call, 'no JSON', { mayBeDone: true }), { code: 'outcome_unknown' }],
  [new RateLimitError('Heavy', 60, request), { code: 'rate_limited' }],
  [new SignInRequiredError('expired', 'expired'), { code: 'sign_in_required', message: 'expired' }],
  [new UntrustedHostError('x.example', undefined), { code: 'untrusted_host' }],
  [new TypeError('wrong'), { code: 'TypeError', message: 'wrong' }],
  ['text', { code: 'unknown', message: 'text' }],
])('the receipt of %o has the code of the output', (error, receipt) => {
  expect(receiptOfError(error)).toMatchObject(receipt);
});
