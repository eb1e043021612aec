import { describe, expect, it } from 'vitest';
import type { Subscription } from '../../../src/contract/subscription.ts';
import { dueTime, keepRenewed } from '../../../src/features/inbox/renewal.ts';

const start = Date.parse('2026-01-05T09:00:00Z');
const hour = 3_600_000;

function endingIn(milliseconds: number, now = start): Subscription {
  const time = (at: number) => new Date(at).toISOString();
  return {
    id: 'sub',
    uri: 'https://service.example/sub',
    eventFilters: [],
    deliveryMode: { transportType: 'WebHook', address: 'https://x.example' },
    expirationTime: time(now + milliseconds),
    creationTime: time(start),
    status: 'Active',
  };
}

/** Runs on a clock of its own until `until`, and gives the times of the attempts, in seconds from the start. */
async function attempts(lifetime: number, until: number, fails: (attempt: number) => boolean = () => false) {
  let now = start;
  let failures = 0;
  const times: number[] = [];
  await keepRenewed({
    subscription: endingIn(lifetime),
    renew: () => {
      times.push((now - start) / 1000);
      return fails(times.length) ? Promise.reject(new Error('no')) : Promise.resolve(endingIn(lifetime, now));
    },
    now: () => now,
    sleep: (milliseconds) => {
      now += milliseconds;
      return now - start > until ? Promise.reject(new Error('over')) : Promise.resolve();
    },
    onRenewed: () => {},
    onFailure: () => {
      failures += 1;
    },
  }).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === 'over')) throw error;
  });
  return { times, failures };
}

describe('renewal', () => {
  it('comes 90 seconds before each end', async () => {
    expect(await attempts(hour, 2.5 * hour)).toEqual({ times: [3510, 7020], failures: 0 });
  });

  it('of a short subscription comes at half its life', async () => {
    expect((await attempts(100_000, 160_000)).times).toEqual([50, 100, 150]);
  });

  it('is tried again every 10 seconds', async () => {
    const { times, failures } = await attempts(hour, 1.5 * hour, (attempt) => attempt < 4);
    expect(times).toEqual([3510, 3520, 3530, 3540]);
    expect(failures).toBe(3);
  });

  it('goes by the remaining seconds where the service tells them, whatever its clock says', () => {
    const subscription = { ...endingIn(-5 * hour), expiresIn: 1000 };
    expect(dueTime(subscription, start) - start).toBe(910_000);
  });

  it('makes no storm when the end has passed by this clock', async () => {
    expect((await attempts(-hour, 5000)).times).toEqual([1, 2, 3, 4, 5]);
  });
});
