import { expect, it } from 'vitest';
import { CommandError, Exit } from '../../../src/errors/command.ts';
import { hintText, ucctl } from '../../../src/errors/hint.ts';
import { ApiError, ConnectionError } from '../../../src/errors/service.ts';
import { runError, type EndedRun } from '../../../src/features/bulk/run-error.ts';

const request = { method: 'PUT', path: '/x' };
const rejection = new ApiError({ status: 400, errorCode: 'CMN-101', message: 'rejected', request });

function errorOf(
  stopped: EndedRun['end']['stopped'],
  counts: Partial<EndedRun['counts']>,
  more: Partial<EndedRun> & { readonly error?: unknown } = {},
): unknown {
  const { error, ...rest } = more;
  return runError({
    end: { stopped, error },
    counts: { planned: 0, sent: 0, ok: 0, failed: 0, unknown: 0, ...counts },
    unit: { noun: 'change', done: 'made' },
    run: 'RUN',
    resume: ucctl('queue apply --resume'),
    ...rest,
  });
}

it.each([
  [
    'was sent and cannot be read back',
    errorOf('service', { sent: 1, ok: 1 }, { error: new Error('cannot read') }),
    Exit.outcomeUnknown,
    '1 of 2 changes was sent, but ucctl could not read the result: cannot read',
    'check the sent changes and make the remaining changes: ucctl queue apply --resume RUN',
  ],
  [
    'has an unknown outcome',
    errorOf(undefined, { unknown: 2, ok: 1 }),
    Exit.outcomeUnknown,
    'the outcome of 2 of 3 changes is unknown',
    'show the changes: ucctl history show RUN',
  ],
  [
    'has an unknown outcome, before the service rejected all others',
    errorOf('service', { unknown: 1, planned: 1 }, { error: rejection }),
    Exit.outcomeUnknown,
    'the outcome of 1 of 2 changes is unknown',
    'show the changes: ucctl history show RUN',
  ],
  [
    'failed, before the service rejected all others',
    errorOf('service', { failed: 1, planned: 1 }, { error: rejection }),
    Exit.partial,
    'the service rejected the request: 0 of 2 changes were made, 1 failed, 1 is left',
    'resume the run: ucctl queue apply --resume RUN',
  ],
  [
    'was sent when the run was interrupted',
    errorOf('interrupted', { sent: 1, ok: 1 }),
    Exit.partial,
    'interrupted: 1 of 2 changes was made, 0 failed, 1 is left',
    'resume the run: ucctl queue apply --resume RUN',
  ],
  [
    'failed, as did all others',
    errorOf(undefined, { failed: 2 }),
    Exit.failed,
    '2 of 2 changes were not made',
    'correct the cause and run the same command again to retry only the rows with status failed',
  ],
])('the error of a run of which a change %s', (_, error, exit, message, hint) => {
  expect(error).toBeInstanceOf(CommandError);
  const found = error as CommandError;
  expect([found.exit, found.message, hintText(found.hint ?? '')]).toEqual([exit, message, hint]);
});

it('a run that made no change, or failed in its only change, has the error of the service', () => {
  expect(errorOf('service', { planned: 2 }, { error: rejection })).toBe(rejection);
  expect(errorOf(undefined, { failed: 1 }, { error: rejection })).toBe(rejection);
});

it('a run that made all changes has no error', () => {
  expect(errorOf(undefined, { ok: 2 })).toBeUndefined();
});

it('the error of a run lists at most ten reasons', () => {
  const reasons = Array.from({ length: 12 }, (_, index) => `reason ${index}`);
  const error = errorOf(undefined, { failed: 12 }, { reasons });
  expect(error).toMatchObject({ details: [...reasons.slice(0, 10), 'and 2 more'] });
});

it('a run that a rejected certificate stopped cannot succeed later', () => {
  const error = new ConnectionError('CERT_HAS_EXPIRED', 'no', 'https://x.example', undefined);
  expect(errorOf('service', { ok: 1, planned: 1 }, { error })).toMatchObject({ retryable: false });
});
