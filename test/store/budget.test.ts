import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/client/call.ts';
import { FleetLimiter } from '../../src/client/fleet-limiter.ts';
import { ConnectionError, type HttpSend } from '../../src/client/index.ts';
import { Transport } from '../../src/client/transport.ts';
import { connectStore, storeBudget, type Postgres } from '../../src/store/index.ts';
import { fakeReply, fakeTiming, plainSettings } from '../support/fake-service.ts';
import { clockStore, postgresMissing, testStore } from '../support/postgres.ts';

const read: Call = { method: 'GET', path: '/restapi/v1.0/account/~/extension/~/presence' };
const limit = 10;

/** A service and machines that share a store, all with one clock except where a machine's clock is wrong. */
async function fleet() {
  const clock = fakeTiming();
  const { db, url, setClock: set } = await clockStore(clock.now());
  const seen = { requests: 0, rejections: 0 };
  let windowEnd = 0;
  let used = 0;
  const http: HttpSend = () => {
    seen.requests += 1;
    const now = clock.now();
    if (now >= windowEnd) [windowEnd, used] = [now + 60_000, 0];
    if (used >= limit) {
      seen.rejections += 1;
      return Promise.resolve(fakeReply({ status: 429, headers: { 'retry-after': '60' } }));
    }
    used += 1;
    const headers = {
      'x-rate-limit-group': 'light',
      'x-rate-limit-limit': String(limit),
      'x-rate-limit-remaining': String(limit - used),
      'x-rate-limit-window': '60',
    };
    return Promise.resolve(fakeReply({ status: 200, body: { id: 1 }, headers }));
  };
  const slept: number[] = [];
  const machine = (
    more: {
      readonly db?: Postgres | undefined;
      readonly behind?: number;
      readonly owner?: string;
      readonly http?: HttpSend;
      readonly retries?: number;
    } = {},
  ): Transport => {
    const budget = storeBudget(more.db ?? db, more.owner ?? 'user', () => Promise.resolve());
    return new Transport({
      ...plainSettings,
      http: more.http ?? http,
      retries: more.retries,
      timing: {
        ...clock,
        now: () => clock.now() - (more.behind ?? 0),
        async sleep(milliseconds, signal) {
          slept.push(milliseconds);
          await clock.sleep(milliseconds, signal);
          await set(clock.now());
        },
      },
      maxWaitMilliseconds: 600_000,
      limiter: new FleetLimiter(() => Promise.resolve(budget)),
    });
  };
  /** Advances all clocks. */
  const pass = async (milliseconds: number): Promise<void> => {
    await clock.sleep(milliseconds);
    await set(clock.now());
  };
  return { clock, db, url, set, pass, seen, slept, machine };
}

describe.skipIf(postgresMissing())('the rate budget of a store', () => {
  it.each([undefined, 'light'])(
    'counts no request that could not connect, with the limit of group %s known',
    async (known) => {
      const { machine, seen, slept } = await fleet();
      if (known !== undefined) await machine().send(read);
      const unsent = new ConnectionError('ECONNREFUSED', 'no', 'https://service.example', undefined);
      const offline = machine({ http: () => Promise.reject(unsent), retries: limit });
      await expect(offline.send(read)).rejects.toBe(unsent);
      slept.length = 0;
      const rest = limit - seen.requests;
      for (let count = 0; count < rest; count += 1) await machine().send(read);
      expect([slept, seen]).toEqual([[], { requests: limit, rejections: 0 }]);
    },
  );

  it('is shared by machines without a 429, also if their clocks are an hour off', async () => {
    const { machine, seen, slept } = await fleet();
    const machines = [machine(), machine({ behind: 3_600_000 }), machine({ behind: -3_600_000 })];
    for (let count = 0; count < 36; count += 1) await machines[count % 3]?.send(read);
    expect(seen).toEqual({ requests: 36, rejections: 0 });
    expect(slept).toHaveLength(3);
    for (const wait of slept) expect(wait).toBeLessThanOrEqual(60_500);
  });

  it('begins a window with the first reply, if the machine that opened it died before its request', async () => {
    const { db, pass, seen, machine } = await fleet();
    const survivor = machine();
    for (let count = 0; count < limit; count += 1) await survivor.send(read);
    await pass(60_500);
    expect(await storeBudget(db, 'user', () => Promise.resolve()).take('light', 0)).toMatchObject({
      opened: true,
    });
    // The window of the service begins 5 s later, with the first request that arrives.
    await pass(5000);
    for (let count = 0; count < 2 * limit; count += 1) await survivor.send(read);
    expect(seen).toEqual({ requests: 3 * limit, rejections: 0 });
  });

  it('counts requests that were under way before the first reply named the limit', async () => {
    const { db, pass } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const reply = (remaining: number, counted: boolean) =>
      budget.learn('light', { limit, remaining, windowMilliseconds: 60_000 }, { opened: false, counted });
    // Each request finds out the limit after the one before got no reply for too long.
    for (let count = 0; count < 3; count += 1) {
      expect(await budget.take('light', 0)).toMatchObject({ wait: 0, probes: true, known: undefined });
      expect(await budget.take('light', 0)).toMatchObject({ wait: 200, probes: false, known: undefined });
      await pass(2000);
    }
    await reply(9, false);
    expect(await budget.take('light', 0)).toMatchObject({ known: { remaining: 8 } });
    await reply(8, false);
    await reply(7, false);
    await reply(6, true);
    expect(await budget.take('light', 0)).toMatchObject({ known: { remaining: 5 } });
  });

  it('allows one request until its reply names the limit, so that many machines do not exceed it', async () => {
    const { db, url } = await fleet();
    const pools = [1, 2, 3, 4].map(() => connectStore({ url, source: 'the test', env: {} }));
    const budgets = pools.map((pool) => storeBudget(pool, 'user', () => Promise.resolve()));
    const take = () =>
      Promise.all(Array.from({ length: 60 }, async (_, index) => budgets[index % 4]?.take('light', 0)));
    const first = await take();
    expect(first.filter((one) => one?.wait === 0)).toEqual([
      { wait: 0, opened: false, probes: true, known: undefined },
    ]);
    expect(first.filter((one) => one?.wait === 200)).toHaveLength(59);
    const seen = { limit, remaining: limit - 1, windowMilliseconds: 60_000 };
    await storeBudget(db, 'user', () => Promise.resolve()).learn('light', seen, {
      opened: true,
      counted: false,
    });
    expect((await take()).filter((one) => one?.wait === 0)).toHaveLength(limit - 1);
    await Promise.all(pools.map((pool) => pool.close()));
  });

  it('lets requests pass whose replies do not show the limit, such as sign-ins', async () => {
    const { db } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const free = { wait: 0, probes: false, known: undefined };
    expect([await budget.take('auth', 0, false), await budget.take('auth', 0, false)]).toMatchObject([
      free,
      free,
    ]);
    expect(await budget.take('auth', 0)).toMatchObject({ wait: 0, probes: true });
    expect(await budget.take('auth', 0, false)).toMatchObject(free);
    await budget.block('auth', 30_000);
    expect((await budget.take('auth', 0, false)).wait).toBe(30_000);
  });

  it.each([
    ['answered without a limit', 200, 3],
    ['failed without a limit', 503, 1],
  ])('lets requests continue after the first one %s', async (_, status, allowed) => {
    const { db } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const limiter = new FleetLimiter(() => Promise.resolve(budget));
    const group = limiter.groupOf(read.method, read.path);
    expect([await limiter.take(group, 0), await limiter.take(group, 0)]).toEqual([0, 250]);
    await limiter.learn(group, read.method, read.path, fakeReply({ status }));
    const waits = [await limiter.take(group, 0), await limiter.take(group, 0), await limiter.take(group, 0)];
    expect(waits.filter((wait) => wait === 0)).toHaveLength(allowed);
    // A service that names limits later is followed.
    const seen = { limit: 2, remaining: 1, windowMilliseconds: 60_000 };
    await budget.learn(group, seen, { opened: true, counted: false });
    expect(await budget.take(group, 0)).toMatchObject({ wait: 0, known: { limit: 2, remaining: 0 } });
    expect((await budget.take(group, 0)).wait).toBeGreaterThan(59_000);
  });

  it('permits one request per window if the service names the limit 0', async () => {
    const { db, pass } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const waits = async (): Promise<number> => (await budget.take('light', 0)).wait;
    expect(await waits()).toBe(0);
    const seen = { limit: 0, remaining: 0, windowMilliseconds: 60_000 };
    await budget.learn('light', seen, { opened: true, counted: false });
    for (let window = 0; window < 3; window += 1) {
      expect(await waits()).toBeGreaterThan(50_000);
      await pass(61_000);
      expect(await waits()).toBe(0);
    }
  });

  it('does not delay requests if the service names a huge limit or a window of an hour', async () => {
    const { db } = await fleet();
    for (const [group, seen] of Object.entries({
      huge: { limit: Number('9223372036854775807'), remaining: 2 ** 31, windowMilliseconds: 60_000 },
      hour: { limit: 1000, remaining: 999, windowMilliseconds: 3_600_000 },
    })) {
      const budget = storeBudget(db, 'user', () => Promise.resolve());
      expect(await budget.take(group, 0)).toMatchObject({ wait: 0, probes: true });
      await budget.learn(group, seen, { opened: false, counted: false });
      for (let request = 0; request < 3; request += 1)
        expect(await budget.take(group, 0)).toMatchObject({ wait: 0, probes: false });
    }
  });

  it('is shared by concurrent requests of separate connections', async () => {
    const { machine, seen, url } = await fleet();
    await machine().send(read);
    const pools = [1, 2, 3].map(() => connectStore({ url, source: 'the test', env: {} }));
    await Promise.all(Array.from({ length: 9 }, (_, index) => machine({ db: pools[index % 3] }).send(read)));
    expect(seen).toEqual({ requests: 10, rejections: 0 });
    await machine().send(read);
    expect(seen).toEqual({ requests: 11, rejections: 0 });
    await Promise.all(pools.map((pool) => pool.close()));
  });

  it('follows a service that counts requests of others', async () => {
    const { machine, seen, slept, clock } = await fleet();
    const transport = machine();
    await transport.send(read);
    // Somebody who does not use the store spends the rest.
    const outside = new Transport({ ...plainSettings, http: stranger(), timing: clock });
    function stranger(): HttpSend {
      return () => Promise.resolve(fakeReply({ status: 200, body: {} }));
    }
    await outside.send(read);
    for (let count = 0; count < 9; count += 1) await transport.send(read);
    expect(slept).toEqual([]);
    await transport.send(read);
    expect(seen.rejections).toBe(0);
    expect(slept).toHaveLength(1);
  });

  it('waits for the penalty of a 429 on every machine', async () => {
    const { db, set, clock } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const other = storeBudget(db, 'user', () => Promise.resolve());
    await budget.block('light', 30_000);
    expect((await other.take('light', 0)).wait).toBe(30_000);
    expect((await storeBudget(db, 'another user', () => Promise.resolve()).take('light', 0)).wait).toBe(0);
    await set(clock.now() + 30_001);
    expect(await other.take('light', 0)).toMatchObject({ wait: 0 });
  });

  it('waits for a penalty of an hour', async () => {
    const { db, set, clock } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    await budget.block('light', 3_600_000);
    expect((await budget.take('light', 0)).wait).toBe(3_600_000);
    await set(clock.now() + 3_600_001);
    expect(await budget.take('light', 0)).toMatchObject({ wait: 0 });
  });

  it('moves the end of a window to the reply of the request that opened it', async () => {
    const { db, set, clock } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const seen = { limit: 2, remaining: 1, windowMilliseconds: 60_000 };
    await budget.learn('light', seen, { opened: false, counted: true });
    await set(clock.now() + 70_000);
    expect(await budget.take('light', 0)).toMatchObject({
      wait: 0,
      opened: true,
      known: { limit: 2, remaining: 1 },
    });
    // The reply arrives 5 s later: the service may have opened its window at any time until then.
    await set(clock.now() + 75_000);
    await budget.learn('light', seen, { opened: true, counted: true });
    await set(clock.now() + 75_001);
    expect(await budget.take('light', 0)).toMatchObject({ wait: 0, opened: false });
    expect(await budget.take('light', 0)).toMatchObject({ wait: 60_249 });
  });

  it('does not wait for hours after the clock of the server was set back', async () => {
    const { clock, set, seen, slept, machine } = await fleet();
    const [one, other] = [machine(), machine()];
    const start = clock.now();
    await set(start + 3_600_000);
    for (let count = 0; count < limit; count += 1) await one.send(read);
    await set(start);
    for (let count = 0; count < 2 * limit; count += 1) await other.send(read);
    // The store no longer knows the window of the service.
    expect(seen).toEqual({ requests: 3 * limit + 1, rejections: 1 });
    for (const wait of slept) expect(wait).toBeLessThan(120_000);
  });

  it('forgets a penalty after the clock of the server was set back, also later', async () => {
    const { clock, db, set, pass, slept, machine } = await fleet();
    const start = clock.now();
    await set(start + 3_600_000);
    await machine().send(read);
    await storeBudget(db, 'user', () => Promise.resolve()).block('light', 60_000);
    await set(start);
    await machine().send(read);
    await pass(3_600_000);
    await machine().send(read);
    expect(slept).toEqual([]);
  });

  it('leaves the reserve of a group to others', async () => {
    const { db } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    await budget.learn(
      'auth',
      { limit: 5, remaining: 3, windowMilliseconds: 60_000 },
      { opened: false, counted: true },
    );
    expect(await budget.take('auth', 2)).toMatchObject({ wait: 0 });
    expect((await budget.take('auth', 2)).wait).toBeGreaterThan(0);
    expect(await budget.take('auth', 0)).toMatchObject({ wait: 0 });
  });

  it('keeps the limit that a reply named instead of the assumed one, if a later reply names none', async () => {
    const { db } = await fleet();
    const budget = storeBudget(db, 'user', () => Promise.resolve());
    const limiter = new FleetLimiter(() => Promise.resolve(budget));
    const [method, path] = ['POST', '/restapi/oauth/wstoken'] as const;
    const headers = {
      'x-rate-limit-group': 'Auth',
      'x-rate-limit-limit': '5',
      'x-rate-limit-remaining': '4',
      'x-rate-limit-window': '60',
    };
    for (const reply of [{ status: 200, headers }, { status: 503 }]) {
      expect(await limiter.take('auth', 0, 2)).toBe(0);
      await limiter.learn('auth', method, path, fakeReply(reply));
    }
    expect(await budget.take('auth', 0)).toMatchObject({ known: { limit: 5, remaining: 2 } });
  });

  it('never takes more than the limit, whatever the interleaving', async () => {
    const { db, url } = await fleet();
    const pools = [1, 2, 3, 4].map(() => connectStore({ url, source: 'the test', env: {} }));
    const budgets = pools.map((pool) => storeBudget(pool, 'user', () => Promise.resolve()));
    await storeBudget(db, 'user', () => Promise.resolve()).learn(
      'heavy',
      { limit: 40, remaining: 25, windowMilliseconds: 60_000 },
      { opened: false, counted: true },
    );
    const takes = await Promise.all(
      Array.from({ length: 60 }, async (_, index) => budgets[index % 4]?.take('heavy', 0)),
    );
    expect(takes.filter((one) => one?.wait === 0)).toHaveLength(25);
    await Promise.all(pools.map((pool) => pool.close()));
  });
});

it.skipIf(postgresMissing())('stores the limit that is assumed for a group without replies', async () => {
  const { db } = await testStore();
  const budget = storeBudget(db, 'user', () => Promise.resolve());
  await budget.assume('auth', { limit: 5, remaining: 5, windowMilliseconds: 60_000 });
  expect(await db.query('select lim, window_ms, remaining from budget')).toEqual([
    { lim: 5, window_ms: 60_000, remaining: 5 },
  ]);
});
