import { describe, expect, it } from 'vitest';
import { FleetLimiter } from '../../src/client/fleet-limiter.ts';
import type { FleetBudget, FleetTake } from '../../src/client/rate-limiter.ts';
import { fakeReply } from '../support/fake-service.ts';

const [method, path] = ['GET', '/restapi/v1.0/account/~/extension/~/presence'] as const;
const seen = { limit: 40, remaining: 30, windowMilliseconds: 60_000 };
const counted: FleetTake = { wait: 0, opened: false, probes: false, known: { limit: 40, remaining: 30 } };
const opened: FleetTake = { ...counted, opened: true };
const probe: FleetTake = { wait: 0, opened: false, probes: true, known: undefined };

/** A limiter whose budget allows requests as listed, and the calls of the budget in order. */
function limiterOf(takes: readonly FleetTake[] = []) {
  const calls: unknown[][] = [];
  const note =
    (name: string) =>
    async (...values: readonly unknown[]): Promise<void> =>
      void calls.push([name, ...values]);
  const left = [...takes];
  const budget: FleetBudget = {
    take: async (group, reserve) => {
      calls.push(['take', group, reserve]);
      return left.shift() ?? counted;
    },
    learn: note('learn'),
    assume: note('assume'),
    forget: note('forget'),
    learnNothing: note('learnNothing'),
    block: note('block'),
    giveBack: note('giveBack'),
  };
  const limiter = new FleetLimiter(() => Promise.resolve(budget));
  /** The calls since the last call of this function. */
  const news = () => calls.splice(0);
  const learn = (remaining: number | undefined, { status = 200, group = 'light', limit = 40 } = {}) => {
    const headers = {
      'x-rate-limit-group': group,
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(remaining),
      'x-rate-limit-window': '60',
    };
    return limiter.learn(
      'light',
      method,
      path,
      fakeReply({ status, ...(remaining !== undefined && { headers }) }),
    );
  };
  return { limiter, news, learn };
}

describe('a request that was taken with its task', () => {
  it('is sent without another request to the budget, and its reply counts', async () => {
    const { limiter, news, learn } = limiterOf();
    limiter.prepay('light', opened);
    expect(await limiter.take('light', 0)).toBe(0);
    await learn(30);
    expect(news()).toEqual([['learn', 'light', seen, { opened: true, counted: true }]]);
  });

  it('is withdrawn with its task only, unless it was sent', async () => {
    const { limiter, news } = limiterOf();
    const withdraw = [limiter.prepay('light', { ...counted }), limiter.prepay('light', { ...counted })];
    await limiter.take('light', 0);
    withdraw[0]?.();
    await limiter.take('light', 0);
    expect(news()).toEqual([]);
    limiter.prepay('light', counted)();
    await limiter.take('light', 0);
    expect(news()).toEqual([['take', 'light', 0]]);
  });
});

describe('the reply to a request', () => {
  it.each<[string, FleetTake, number, unknown[][]]>([
    ['is not stored if it is not new', counted, 30, []],
    [
      'is stored if fewer requests are left',
      counted,
      29,
      [['learn', 'light', { ...seen, remaining: 29 }, { opened: false, counted: true }]],
    ],
    [
      'begins the window if it is one of the first',
      counted,
      38,
      [['learn', 'light', { ...seen, remaining: 38 }, { opened: true, counted: true }]],
    ],
    [
      'is stored if the limit was unknown',
      probe,
      30,
      [['learn', 'light', seen, { opened: false, counted: false }]],
    ],
  ])('%s', async (_, taken, remaining, calls) => {
    const { limiter, news, learn } = limiterOf([taken]);
    await limiter.take('light', 0);
    news();
    await learn(remaining);
    expect(news()).toEqual(calls);
  });

  it('is stored if it names another limit', async () => {
    const { limiter, news, learn } = limiterOf();
    await limiter.take('light', 0);
    await learn(30, { limit: 50 });
    expect(news().slice(1)).toEqual([
      ['learn', 'light', { ...seen, limit: 50 }, { opened: false, counted: true }],
    ]);
  });

  it('belongs to the oldest request', async () => {
    const { limiter, news, learn } = limiterOf([opened, counted]);
    for (let count = 0; count < 2; count += 1) await limiter.take('light', 0);
    news();
    for (const remaining of [30, 35]) await learn(remaining);
    expect(news()).toEqual([['learn', 'light', seen, { opened: true, counted: true }]]);
  });

  it('of another group ends the search for the limit, and did not count in that group', async () => {
    const { limiter, news, learn } = limiterOf([probe, counted]);
    for (let count = 0; count < 2; count += 1) await limiter.take('light', 0);
    news();
    for (let count = 0; count < 2; count += 1) await learn(30, { group: 'heavy' });
    const learned = ['learn', 'heavy', seen, { opened: false, counted: false }];
    expect(news()).toEqual([['learnNothing', 'light', false], learned, learned]);
  });

  it.each([
    [200, true],
    [503, false],
  ])('with HTTP %i and no limit ends the search for the limit', async (status, answered) => {
    const { limiter, news, learn } = limiterOf([probe, counted]);
    for (let count = 0; count < 2; count += 1) await limiter.take('light', 0);
    news();
    for (let count = 0; count < 2; count += 1) await learn(undefined, { status });
    expect(news()).toEqual([['learnNothing', 'light', answered]]);
  });
});

describe('a group with a reserve', () => {
  it('has an assumed limit, until a reply shows that there is none', async () => {
    const wait: FleetTake = { ...counted, wait: 1000 };
    const { limiter, news, learn } = limiterOf([probe, wait, counted]);
    expect(await limiter.take('light', 0, 2)).toBe(1050);
    expect(news().map(([name]) => name)).toEqual(['take', 'assume', 'take']);
    expect(await limiter.take('light', 0, 2)).toBe(0);
    for (let count = 0; count < 2; count += 1) await learn(undefined);
    expect(news()).toEqual([
      ['take', 'light', 2],
      ['forget', 'light'],
    ]);
  });
});

describe('a request without a reply', () => {
  it('is given back if it was not sent', async () => {
    const { limiter, news } = limiterOf([counted, probe]);
    for (let count = 0; count < 2; count += 1) await limiter.take('light', 0);
    news();
    for (let count = 0; count < 3; count += 1) await limiter.giveBack('light');
    expect(news()).toEqual([
      ['giveBack', 'light'],
      ['learnNothing', 'light', false],
    ]);
  });

  it('counts if it was sent', async () => {
    const { limiter, news } = limiterOf();
    await limiter.take('light', 0);
    limiter.release('light');
    await limiter.giveBack('light');
    await limiter.block('light', 1000);
    expect(news().slice(1)).toEqual([['block', 'light', 1000]]);
  });
});
