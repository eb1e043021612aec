import { expect, test } from 'vitest';
import { callStatuses, legStatuses } from '../../../src/contract/index.ts';
import { nextCallStatus, nextLegStatus } from '../../../src/sandbox/calls/machine.ts';

/** The moves that do not throw. */
function moves<T extends string>(statuses: readonly T[], next: (from: T, to: T) => T): readonly string[] {
  const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const));
  return pairs
    .filter(([from, to]) => {
      try {
        return next(from, to) === to;
      } catch {
        return false;
      }
    })
    .map(([from, to]) => `${from}>${to}`);
}

test('spec:RINGOUT-19 to RINGOUT-26, RINGOUT-28 a leg goes from InProgress to an end or to Success, and from there only to Finished', () => {
  expect(moves(legStatuses, nextLegStatus)).toEqual([
    'InProgress>Busy',
    'InProgress>NoAnswer',
    'InProgress>Rejected',
    'InProgress>Success',
    'InProgress>GenericError',
    'InProgress>InternationalDisabled',
    'InProgress>Invalid',
    'Success>Finished',
  ]);
});

test('spec:RINGOUT-15 to RINGOUT-18 a call succeeds or fails once and for all', () => {
  expect(moves(callStatuses, nextCallStatus)).toEqual([
    'InProgress>Success',
    'InProgress>CannotReach',
    'InProgress>NoAnsweringMachine',
  ]);
});
