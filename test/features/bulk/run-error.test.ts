import { describe, expect, it } from 'vitest';
import { ApiError, ConnectionError, RateLimitError } from '../../../src/errors/service.ts';
import { CommandError, Exit } from '../../../src/errors/command.ts';
import { hintText, ucctl } from '../../../src/errors/hint.ts';
import type { BulkEnd } from '../../../src/features/bulk/bulk-work.ts';
import { DatabaseError } from '../../../src/platform/database-error.ts';
import { StoreError } from '../../../src/platform/store-error.ts';
import { runError } from '../../../src/features/bulk/run-error.ts';

const request = { method: 'POST', path: '/restapi/v1.0/account/~/extension/~/sms' };
const rejection = (status: number, errorCode: string): ApiError =>
  new ApiError({ status, errorCode, message: 'rejected', request });

/**
 * The error of a run with 6 changes, of which `failed` failed and `left` were not sent. `unchanged` rows were already up
 * to date.
 */
function errorOf(end: BulkEnd, failed: number, left: number, isResumed = false, unchanged = 0): CommandError {
  const error = runError({
    end,
    isResumed,
    unchanged,
    unit: { noun: 'change', done: 'made' },
    counts: { planned: left, sent: 0, ok: 6 - failed - left, failed, unknown: 0 },
    run: 'RUN',
    resume: ucctl('sms send --resume'),
  });
  expect(error).toBeInstanceOf(CommandError);
  return error as CommandError;
}

it('reports a disk that fails during the run as a problem of this machine', () => {
  const { exit, code, message, retryable } = errorOf(
    { stopped: 'service', error: new DatabaseError('/state/outcomes.db', 'broken') },
    0,
    2,
  );
  expect([exit, code, retryable]).toEqual([Exit.local, 'database_unreadable', true]);
  expect(message).toBe(
    'cannot use the database /state/outcomes.db: the disk failed to read or write the file; 4 of 6 changes were made, 0 failed, 2 are left',
  );
});

it('counts only the changes of a run, not the rows that were already up to date', () => {
  const { message, exit } = errorOf(
    { stopped: undefined, error: rejection(403, 'MSG-304') },
    6,
    0,
    false,
    11,
  );
  expect([message, exit]).toEqual(['6 of 6 changes were not made', Exit.partial]);
});

describe('the error of a run says whether the same command may succeed later', () => {
  it('not if the service rejected changes: the next step is to correct the cause', () => {
    const { retryable, hint, exit } = errorOf({ stopped: undefined, error: rejection(403, 'MSG-304') }, 2, 0);
    expect([retryable, exit]).toEqual([false, Exit.partial]);
    expect(hintText(hint ?? '')).toBe(
      'correct the cause and run the same command again to retry only the rows with status failed',
    );
  });

  it('after --resume, the next step is the original command, because a run does not retry failed changes', () => {
    const { hint } = errorOf({ stopped: undefined, error: rejection(403, 'MSG-304') }, 2, 0, true);
    expect(hintText(hint ?? '')).toBe(
      'correct the cause and run the original command again, without --resume, to retry only the rows with status failed',
    );
  });

  it.each([
    [undefined, 'fix these rows and run the same command again, which sends only the remaining changes'],
    ['use a list with only these rows', 'use a list with only these rows'],
  ])('with skipped rows only and the hint %j of the command: %s', (again, expected) => {
    const error = runError({
      end: { stopped: undefined, error: undefined },
      unit: { noun: 'text', done: 'sent' },
      counts: { planned: 0, sent: 0, ok: 1, failed: 0, unknown: 0 },
      skipped: 1,
      run: 'RUN',
      resume: ucctl('sms send --resume'),
      again,
    });
    expect(error).toMatchObject({ message: '1 of 2 texts was not sent', exit: Exit.partial, hint: expected });
  });

  it.each([
    ['interrupted', undefined, true],
    ['service', new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined), true],
    ['service', new RateLimitError('Heavy', 60, request), true],
    ['service', rejection(429, 'CMN-301'), true],
    ['service', rejection(503, 'CMN-201'), true],
    ['service', rejection(403, 'MSG-304'), false],
    ['service', new CommandError('x', Exit.local, 'the disk is full', { retryable: true }), true],
    ['service', new StoreError('lost', 'postgres://db'), true],
    ['service', new StoreError('read-only', 'postgres://db'), false],
    ['service', new CommandError('x', Exit.blocked, 'the policy blocks this'), false],
    ['max-errors', rejection(400, 'CMN-101'), false],
  ] as const)('stopped by %s with %s: %s', (stopped, error, expected) => {
    expect(errorOf({ stopped, error }, 2, 2).retryable).toBe(expected);
  });

  it.each([
    [rejection(403, 'MSG-304'), 'the service rejected the request: 2 of 6'],
    [
      new ConnectionError('ECONNRESET', 'no', 'https://service.example', undefined),
      'the service stopped replying: 2 of 6',
    ],
    [new CommandError('x', Exit.blocked, 'the policy blocks this'), 'the policy blocks this; 2 of 6'],
    [
      new StoreError('lost', 'postgres://db'),
      'cannot use the store postgres://db: the connection was lost; 2 of 6',
    ],
    [new RateLimitError('Heavy', 60, request), 'rate limit'],
  ])('with %s, the message names the reason', (error, text) => {
    const { message } = errorOf({ stopped: 'service', error }, 2, 2);
    expect(message).toContain(text);
    expect(message).toContain('2 of 6 changes were made, 2 failed, 2 are left');
  });
});
