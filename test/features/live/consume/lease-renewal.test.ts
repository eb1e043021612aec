import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  LeaseRenewal,
  type LeaseSettings,
  type Running,
} from '../../../../src/features/live/consume/lease-renewal.ts';
import { ownProcess } from '../../../../src/platform/own-process.ts';
import type { ClaimedEvent } from '../../../../src/store/event-log.ts';
import { eventually } from '../../../support/eventually.ts';

const leaseMilliseconds = 4000;

/** An event in progress, whose lease ends after some milliseconds, and the renewals of its lease by a test clock. */
function renewal(endsIn: number, extend: (all: Map<Running, unknown>) => Promise<boolean>) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const running: Running = {
    claimed: {} as ClaimedEvent,
    stop: new AbortController(),
    leaseUntil: ownProcess.monotonicMilliseconds() + endsIn,
    isTaken: false,
  };
  const all = new Map<Running, unknown>([[running, undefined]]);
  const failures: unknown[] = [];
  let asked = 0;
  const log: LeaseSettings['log'] = {
    extend: () => {
      asked += 1;
      return extend(all);
    },
  };
  const onFailure = (error: unknown): void => void failures.push(error);
  const leases = new LeaseRenewal({ log, leaseMilliseconds, running: all, onFailure });
  return {
    running,
    leases,
    failures,
    asked: () => asked,
    /** Starts the next renewal. */
    next: async () => {
      const before = asked;
      vi.advanceTimersByTime(leaseMilliseconds / 4);
      await eventually(() => expect(asked).toBe(before + 1));
    },
  };
}

it('moves the end of a lease that the store has extended, also if it had ended during a stall', async () => {
  const { running, leases, next } = renewal(-1000, () => pause(5, true));
  const before = ownProcess.monotonicMilliseconds();
  await next();
  await leases.end();
  expect(running.isTaken).toBe(false);
  expect(running.leaseUntil).toBeGreaterThanOrEqual(before + leaseMilliseconds);
  expect(running.leaseUntil).toBeLessThanOrEqual(ownProcess.monotonicMilliseconds() + leaseMilliseconds);
});

it.each<[string, number, boolean]>([
  ['continues an event whose lease has not ended', 60_000, false],
  ['stops an event whose lease has ended', -1000, true],
])('%s if the store fails, and reports the failure', async (_, endsIn, isTaken) => {
  const error = new Error('no connection');
  const { running, leases, failures, next } = renewal(endsIn, () => Promise.reject(error));
  await next();
  await leases.end();
  expect(failures).toEqual([error]);
  expect([running.isTaken, running.stop.signal.aborted]).toEqual([isTaken, isTaken]);
});

it('stops an event that another process has claimed', async () => {
  const { running, leases, next } = renewal(-1000, () => Promise.resolve(false));
  await next();
  await leases.end();
  expect([running.isTaken, running.stop.signal.aborted]).toEqual([true, true]);
});

it('does not stop an event that ended during the renewal', async () => {
  const { running, leases, next } = renewal(-1000, (all) => {
    all.clear();
    return Promise.resolve(false);
  });
  await next();
  await leases.end();
  expect([running.isTaken, running.stop.signal.aborted]).toEqual([false, false]);
});

it('ends after the last renewal, and starts no other', async () => {
  let reply: (isOwn: boolean) => void = () => undefined;
  const { leases, next, asked } = renewal(
    60_000,
    () =>
      new Promise((resolve) => {
        reply = resolve;
      }),
  );
  await next();
  let isOver = false;
  const ended = leases.end().finally(() => {
    isOver = true;
  });
  await nextTurn();
  expect(isOver).toBe(false);
  reply(true);
  await ended;
  expect(vi.getTimerCount()).toBe(0);
  expect(asked()).toBe(1);
});
