import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../../src/client/index.ts';
import { ConnectionError, SignInRequiredError } from '../../../../src/errors/service.ts';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import {
  renewalTime,
  renewSubscription,
  type Gap,
} from '../../../../src/features/live/subscription/renew.ts';

const start = Date.parse('2026-01-05T09:00:00Z');
const minute = 60_000;
const hour = 60 * minute;

function endingIn(
  milliseconds: number,
  now = start,
  status: Subscription['status'] = 'Active',
): Subscription {
  const time = (at: number) => new Date(at).toISOString();
  return {
    id: 'sub',
    uri: 'https://service.example/sub',
    eventFilters: [],
    deliveryMode: { transportType: 'WebHook', address: 'https://x.example' },
    expirationTime: time(now + milliseconds),
    creationTime: time(start),
    status,
  };
}

interface Script {
  readonly lifetime?: number;
  /** The subscription at the start; without it, one that expires after the lifetime. */
  readonly first?: Subscription;
  /** Of the run, from the start. */
  readonly until: number;
  /** What the service answers to a request at a time; throws for a failure. */
  readonly answer?: (what: string, at: number) => Subscription | undefined;
  /** Extra time that passes during a wait that begins at a time. */
  readonly asleep?: (at: number) => number;
}

/** Runs on a simulated clock. Records the requests as `name@seconds`, the gaps and the reported failures. */
async function run({ lifetime = hour, first, until, answer, asleep }: Script) {
  let now = start;
  const reported: unknown[] = [];
  const requests: string[] = [];
  const gaps: (Omit<Gap, 'reason'> & { reason: string })[] = [];
  const ask = async (what: string): Promise<Subscription> => {
    requests.push(`${what}@${(now - start) / 1000}`);
    return answer?.(what, now - start) ?? endingIn(lifetime, now);
  };
  await renewSubscription({
    subscription: first ?? endingIn(lifetime),
    port: {
      create: () => ask('create'),
      get: () => ask('get'),
      renew: () => ask('renew'),
      delete: async () => {
        await ask('delete');
      },
    },
    now: () => {
      // Ends a run that sends requests without a wait.
      if (requests.length > 1000) throw new Error('over');
      return now;
    },
    sleep: (milliseconds) => {
      now += milliseconds + (asleep?.(now - start) ?? 0);
      return now - start > until ? Promise.reject(new Error('over')) : Promise.resolve();
    },
    onUpdate: () => undefined,
    onFailure: (error) => void reported.push(error),
    onGap: ({ from, to, reason }) =>
      gaps.push({ from: (from - start) / 1000, to: (to - start) / 1000, reason }),
  }).catch((error: unknown) => {
    if (!(error instanceof Error && error.message === 'over')) throw error;
  });
  return { requests, gaps, reported, failures: reported.length };
}

const errorWith = (errorCode: string): ApiError =>
  new ApiError({
    status: 404,
    errorCode,
    message: 'gone',
    request: { method: 'GET', path: '/restapi/v1.0/subscription/s' },
  });
const notFound = errorWith('SUB-507');

describe('renewal', () => {
  it('sends a request about every minute if the service tells no time of expiry', async () => {
    const { requests } = await run({
      first: { ...endingIn(hour), expirationTime: '' },
      until: 30 * minute,
      answer: (_, at) => ({ ...endingIn(hour, start + at), expirationTime: '' }),
    });
    expect(requests.filter((one) => one.startsWith('renew'))).toEqual(['renew@810', 'renew@1620']);
    expect(requests.length).toBeLessThanOrEqual(32);
  });

  it('happens 90 seconds before each expiry', async () => {
    const { requests } = await run({ until: 2.5 * hour });
    expect(requests.filter((one) => one.startsWith('renew'))).toEqual(['renew@3510', 'renew@7020']);
  });

  it('of a short subscription happens after half its lifetime', async () => {
    const { requests } = await run({ lifetime: 50_000, until: 80_000 });
    expect(requests).toEqual(['renew@25', 'renew@50', 'renew@75']);
  });

  it('is retried every 10 seconds; the failure is reported once, and then the gap', async () => {
    const { requests, failures, gaps } = await run({
      until: 3545_000,
      answer: (what, at) => {
        if (what === 'renew' && at < 3540_000)
          throw new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined);
        return undefined;
      },
    });
    expect(requests.filter((one) => one.startsWith('renew'))).toEqual([
      'renew@3510',
      'renew@3520',
      'renew@3530',
      'renew@3540',
    ]);
    expect(failures).toBe(1);
    expect(gaps).toEqual([{ from: 3480, to: 3540, reason: 'the service was unreachable' }]);
  });

  it('is reported again, once, if the session ends during an outage', async () => {
    const outage = new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined);
    const ended = new SignInRequiredError('rejected', 'the session has ended');
    const { reported, gaps } = await run({
      until: 3585_000,
      answer: (what, at) => {
        if (what !== 'renew' || at >= 3570_000) return undefined;
        throw at >= 3530_000 && at < 3550_000 ? ended : outage;
      },
    });
    expect(reported).toEqual([outage, ended]);
    expect(gaps).toEqual([{ from: 3480, to: 3570, reason: 'the service was unreachable' }]);
  });

  it('after a failure of another kind reports only that events may be missing', async () => {
    const { gaps } = await run({
      until: 3545_000,
      answer: (what, at) => {
        if (what === 'renew' && at < 3540_000)
          throw new SignInRequiredError('expired', 'the session has ended');
        return undefined;
      },
    });
    expect(gaps).toEqual([{ from: 3480, to: 3540, reason: 'events may be missing' }]);
  });

  it('does not take a 404 of another server as the loss of the subscription', async () => {
    const { requests, failures } = await run({
      until: 3545_000,
      answer: (what, at) => {
        if (what === 'renew' && at < 3530_000) throw errorWith('HTTP-404');
        return undefined;
      },
    });
    expect(requests.filter((one) => !one.startsWith('get'))).toEqual([
      'renew@3510',
      'renew@3520',
      'renew@3530',
    ]);
    expect(failures).toBe(1);
  });

  it('and checks are on time after the clock of the machine is set back', async () => {
    let back = -hour;
    const put = () => {
      const by = back;
      back = 0;
      return by;
    };
    const { requests, gaps } = await run({ until: 60_000, asleep: put });
    // The first wait ended at -3570 s by the clock that was put back.
    expect(requests.slice(0, 2)).toEqual(['get@-3570', 'get@-3510']);
    expect(requests).toContain('renew@-90');
    expect(gaps).toEqual([]);
  });

  it('uses the remaining seconds of the service, if present, instead of its clock', () => {
    const subscription = { ...endingIn(-5 * hour), expiresIn: 1000 };
    expect(renewalTime(subscription, start) - start).toBe(910_000);
  });

  it('spec:SUBSCRIPTION-26 leaves an active subscription alone that has expired only by the clock of the machine', async () => {
    const { requests, gaps } = await run({ lifetime: -hour, until: 30 * minute });
    expect(requests.filter((one) => !one.startsWith('get'))).toEqual(['renew@810', 'renew@1620']);
    expect(gaps).toEqual([]);
  });

  it('paces its requests if the subscription has expired by this clock', async () => {
    const { requests } = await run({ lifetime: -hour, until: 3000 });
    expect(requests.length).toBeLessThanOrEqual(10);
  });
});

describe('an inactive subscription', () => {
  it.each(['Blacklisted', 'Suspended'] as const)(
    'spec:CLIENT-14 is deleted and recreated within a minute if it is %s',
    async (status) => {
      const { requests, gaps } = await run({
        until: 70_000,
        answer: (what) => (what === 'get' ? endingIn(hour, start, status) : undefined),
      });
      expect(requests).toEqual(['get@60', 'delete@60', 'create@60']);
      expect(gaps).toEqual([{ from: 0, to: 60, reason: `the subscription was ${status}` }]);
    },
  );

  it.each([undefined, 'Enabled'])(
    'is only a subscription with a known inactive status: %s is active',
    async (status) => {
      const { requests, gaps } = await run({
        until: 130_000,
        answer: () => Object.assign(endingIn(hour, start), { status }),
      });
      expect([requests, gaps]).toEqual([['get@60', 'get@120'], []]);
    },
  );

  it('is recreated if it has expired, whatever its status, and the reason names the expiry', async () => {
    const { requests, gaps } = await run({
      until: 70_000,
      answer: (what) => (what === 'get' ? { ...endingIn(hour, start), expiresIn: 0 } : undefined),
    });
    expect(requests).toEqual(['get@60', 'delete@60', 'create@60']);
    expect(gaps).toEqual([{ from: 0, to: 60, reason: 'the subscription had expired' }]);
  });

  it('is recreated within a minute if it is lost', async () => {
    const { requests, gaps } = await run({
      until: 130_000,
      answer: (what, at) => {
        if (what === 'get' && at < 61_000) throw notFound;
        return undefined;
      },
    });
    expect(requests).toEqual(['get@60', 'create@60', 'get@120']);
    expect(gaps).toHaveLength(1);
  });

  it('is recreated as soon as the service allows it', async () => {
    const { requests, failures } = await run({
      until: 90_000,
      answer: (what, at) => {
        if (what === 'get') throw notFound;
        if (at < 75_000) throw new Error('not now');
        return undefined;
      },
    });
    expect(requests).toEqual(['get@60', 'create@60', 'get@70', 'create@70', 'get@80', 'create@80']);
    expect(failures).toBe(1);
  });
});

describe('after a sleep of the machine', () => {
  it('the subscription is checked at once, and the gap has the length of the sleep', async () => {
    const { requests, gaps } = await run({
      until: 25 * minute,
      asleep: (at) => (at === 30_000 ? 20 * minute : 0),
    });
    expect(gaps[0]).toEqual({ from: 30, to: 1260, reason: 'this machine or process was suspended' });
    expect(requests[0]).toBe('get@1260');
  });
});
