import { chmodSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/platform/sqlite.ts';
import type { RateLimiter } from '../../src/client/rate-limiter.ts';
import { describe, expect, it } from 'vitest';
import { shareBudgets } from '../../src/client/budget-share.ts';
import { NamedGroups, rateGroupOf } from '../../src/client/rate-group.ts';
import type { Call } from '../../src/client/call.ts';
import { RateLimitError } from '../../src/errors/service.ts';
import { Transport } from '../../src/client/transport.ts';
import type { HttpSend } from '../../src/client/index.ts';
import { operations, type Operation } from '../../src/contract/operations.ts';
import { fakeReply, fakeTiming, plainSettings } from '../support/fake-service.ts';
import { temporaryFolder } from '../support/temporary.ts';

const read: Call = { method: 'GET', path: '/restapi/v1.0/account/~/extension/~/presence' };
type Clock = ReturnType<typeof fakeTiming>;

/** A service with one group and windows of 60 s; a request inside its penalty restarts it, and counts as too early. */
function limited(clock: Clock, limit: number) {
  const seen = { requests: 0, early: 0, rejections: 0 };
  let windowEnd = 0;
  let used = 0;
  let penaltyEnd = 0;
  const http: HttpSend = () => {
    seen.requests += 1;
    const now = clock.now();
    if (now >= windowEnd) [windowEnd, used] = [now + 60_000, 0];
    if (now < penaltyEnd) seen.early += 1;
    if (now < penaltyEnd || used >= limit) {
      penaltyEnd = now + 60_000;
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
  return { seen, http };
}

function processOf(http: HttpSend, clock: Clock, folder?: string): Transport {
  return new Transport({
    ...plainSettings,
    http,
    timing: clock,
    maxWaitMilliseconds: 600_000,
    budgetShare: folder === undefined ? undefined : shareBudgets(folder, () => Promise.resolve('user')),
  });
}

describe('rate limits', () => {
  it('are observed without a 429', async () => {
    const clock = fakeTiming();
    const { seen, http } = limited(clock, 10);
    const transport = processOf(http, clock);
    for (let count = 0; count < 35; count += 1) await transport.send(read);
    expect(seen).toEqual({ requests: 35, early: 0, rejections: 0 });
    expect(clock.slept).toHaveLength(3);
  });

  it('are observed by concurrent requests', async () => {
    const clock = fakeTiming();
    const { seen, http } = limited(clock, 10);
    const transport = processOf(http, clock);
    await transport.send(read);
    await Promise.all(Array.from({ length: 9 }, () => transport.send(read)));
    await transport.send(read);
    expect(seen).toEqual({ requests: 11, early: 0, rejections: 0 });
  });

  it('do not count requests that were aborted before they were sent', async () => {
    const clock = fakeTiming();
    const { seen, http } = limited(clock, 10);
    const transport = processOf(http, clock);
    for (let count = 0; count < 9; count += 1) {
      const stop = new AbortController();
      const aborted = transport.send(read, { signal: stop.signal });
      // The request has a token by now, and may have been taken from the budget.
      for (let turn = 0; turn < count; turn += 1) await Promise.resolve();
      if (seen.requests === 0) stop.abort(new Error('aborted'));
      await aborted.catch(() => undefined);
    }
    while (seen.requests < 10) await transport.send(read);
    expect(clock.slept).toEqual([]);
  });

  it.each([
    [3_600_000, 'one process'],
    [300_000, 'one process'],
    [3_600_000, 'a new process'],
    [300_000, 'a new process'],
  ])('do not block requests longer after the clock was set back by %i ms (%s)', async (back, who) => {
    const ahead = fakeTiming();
    const { http } = limited(ahead, 1);
    let isSetBack = false;
    const timing = { ...ahead, now: () => ahead.now() - (isSetBack ? back : 0) };
    const folder = temporaryFolder();
    const process = (): Transport =>
      new Transport({
        ...plainSettings,
        http,
        timing,
        maxWaitMilliseconds: 30_000,
        budgetShare: shareBudgets(folder, () => Promise.resolve('user')),
      });
    const transport = process();
    await transport.send(read);
    await expect(transport.send(read)).rejects.toThrow(RateLimitError);
    await ahead.sleep(60_000);
    isSetBack = true;
    const next = who === 'one process' ? transport : process();
    expect(await next.send(read)).toEqual({ id: 1 });
  });

  it('do not count a request that was aborted before it was sent', async () => {
    const { http, seen } = limited(fakeTiming(), 1);
    const aborted = new AbortController();
    const calls: string[] = [];
    const limiter: RateLimiter = {
      groupOf: () => 'light',
      take: async () => {
        aborted.abort(new Error('stopped'));
        return 0;
      },
      learn: async () => {},
      release: (group) => calls.push(`release ${group}`),
      giveBack: async (group) => void calls.push(`giveBack ${group}`),
      block: async () => {},
    };
    const transport = new Transport({ ...plainSettings, http, limiter });
    await expect(transport.send(read, { signal: aborted.signal })).rejects.toThrow('stopped');
    expect(calls).toEqual(['giveBack light']);
    expect(seen.requests).toBe(0);
  });

  it.each([
    [3_600_000, 'one process'],
    [300_000, 'one process'],
    [3_600_000, 'a new process'],
    [300_000, 'a new process'],
  ])(
    'wait only for the new window if the clock is set back by %i ms before a reply (%s)',
    async (back, who) => {
      const ahead = fakeTiming();
      const service = limited(ahead, 2);
      let isSetBack = false;
      const timing = { ...ahead, now: () => ahead.now() - (isSetBack ? back : 0) };
      const http: HttpSend = (request) => {
        isSetBack = service.seen.requests > 0;
        return service.http(request);
      };
      const folder = temporaryFolder();
      const transport = processOf(http, timing, folder);
      await transport.send(read);
      await transport.send(read);
      await (who === 'one process' ? transport : processOf(http, timing, folder)).send(read);
      expect(ahead.slept).toEqual([60_050]);
    },
  );

  it('are observed with a file of an older version', async () => {
    const clock = fakeTiming();
    const folder = temporaryFolder();
    const { seen, http } = limited(clock, 2);
    const old = openDatabase(join(folder, 'rate-limits.db'));
    old.exec(`CREATE TABLE budget (owner TEXT NOT NULL, grp TEXT NOT NULL, left INTEGER, resets_at REAL NOT NULL,
      blocked_until REAL NOT NULL, PRIMARY KEY (owner, grp)) STRICT, WITHOUT ROWID`);
    old.prepare("INSERT INTO budget VALUES ('user', 'light', 0, ?, 0)").run(clock.now() + 30_000);
    old.close();
    chmodSync(join(folder, 'rate-limits.db'), 0o600);
    writeFileSync(join(folder, 'rate-limits.near'), '');
    utimesSync(join(folder, 'rate-limits.near'), clock.now() / 1000 + 30, clock.now() / 1000 + 30);
    await processOf(http, clock, folder).send(read);
    expect(clock.slept).toEqual([30_050]);
    await processOf(http, clock, folder).send(read);
    expect(seen).toMatchObject({ requests: 2, rejections: 0 });
  });

  it('do not slow down requests to a service without limits', async () => {
    const clock = fakeTiming();
    const transport = processOf(() => Promise.resolve(fakeReply({ status: 200, body: {} })), clock);
    for (let count = 0; count < 100; count += 1) await transport.send(read);
    expect(clock.slept).toEqual([]);
  });

  it('are shared by processes: after a 429 of one, the others wait', async () => {
    const clock = fakeTiming();
    const folder = temporaryFolder();
    const { seen, http } = limited(clock, 10);
    const many = Array.from({ length: 10 }, () => processOf(http, clock, folder));
    for (const transport of many) {
      for (let count = 0; count < 3; count += 1) await transport.send(read);
    }
    expect(seen).toEqual({ requests: 30, early: 0, rejections: 0 });
  });

  it.each([2, 3, 5])(
    'are observed by %i processes that each always have a request in progress',
    async (many) => {
      const clock = fakeTiming();
      const { seen, http } = limited(clock, 10);
      // The service has counted a request long before its reply is here.
      const slow: HttpSend = async (request) => {
        const reply = await http(request);
        for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
        return reply;
      };
      const folder = temporaryFolder();
      const work = async (): Promise<void> => {
        const transport = processOf(slow, clock, folder);
        for (let count = 0; count < 12; count += 1) await transport.send(read);
      };
      await Promise.all(Array.from({ length: many }, work));
      expect(seen).toEqual({ requests: many * 12, early: 0, rejections: 0 });
    },
  );

  it('do not change a penalty of another process', async () => {
    const clock = fakeTiming();
    const folder = temporaryFolder();
    const { http } = limited(clock, 1);
    await processOf(http, clock, folder).send(read);
    const start = clock.now();
    await processOf(http, clock, folder).send(read);
    expect(clock.now() - start).toBeGreaterThanOrEqual(60_000);
    expect(clock.slept.length).toBeGreaterThan(0);
  });

  it.each([
    ['3600', 3_600_000],
    // A wrong value does not block the requests for days.
    ['1000000000', 3_600_000],
  ])('block every process for the Retry-After %s, at most for an hour', async (header, milliseconds) => {
    const clock = fakeTiming();
    const folder = temporaryFolder();
    let sent = 0;
    const http: HttpSend = () => {
      sent += 1;
      const reply = { status: 429, body: {}, headers: { 'retry-after': header } };
      return Promise.resolve(fakeReply(sent === 1 ? reply : { status: 200, body: { id: 1 } }));
    };
    await expect(processOf(http, clock, folder).send(read)).rejects.toMatchObject({ waitSeconds: 3600 });
    await clock.sleep(1_000_000);
    const waitSeconds = 2601;
    await expect(processOf(http, clock, folder).send(read)).rejects.toMatchObject({ waitSeconds });
    await clock.sleep(milliseconds - 1_000_000);
    expect([await processOf(http, clock, folder).send(read), sent]).toEqual([{ id: 1 }, 2]);
  });

  it('are discarded if they were recorded by a clock that was ahead', async () => {
    const clock = fakeTiming();
    const folder = temporaryFolder();
    const { http } = limited(clock, 1);
    const ahead = { ...clock, now: () => clock.now() + 86_400_000 };
    await processOf(http, ahead, folder).send(read);
    const start = clock.now();
    await processOf(http, clock, folder).send(read);
    expect(clock.now() - start).toBeLessThan(130_000);
  });

  it('open no database for requests far from the limit, and one that only its user can read', async () => {
    const clock = fakeTiming();
    const folder = temporaryFolder();
    const { http } = limited(clock, 50);
    const transport = processOf(http, clock, folder);
    for (let count = 0; count < 20; count += 1) await transport.send(read);
    expect(existsSync(join(folder, 'rate-limits.db'))).toBe(false);
    for (let count = 0; count < 20; count += 1) await transport.send(read);
    expect(statSync(join(folder, 'rate-limits.db')).mode & 0o777).toBe(0o600);
  });
});

/** A folder in which the database of the shared limits is damaged. */
function damagedFolder(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'rate-limits.db'), 'torn '.repeat(1000));
  return folder;
}

describe('shared rate limits whose database cannot be used', () => {
  it('do not turn a reply that arrived into an error', async () => {
    const clock = fakeTiming();
    const transport = processOf(limited(clock, 2).http, clock, damagedFolder());
    expect(await transport.send({ ...read, method: 'POST', once: true })).toEqual({ id: 1 });
    expect(await transport.send(read)).toEqual({ id: 1 });
  });

  it('are observed by the process', async () => {
    const clock = fakeTiming();
    const { seen, http } = limited(clock, 10);
    const transport = processOf(http, clock, damagedFolder());
    for (let count = 0; count < 25; count += 1) await transport.send(read);
    expect(seen).toEqual({ requests: 25, early: 0, rejections: 0 });
  });

  it('do not hide a rejection by the rate limits', async () => {
    const clock = fakeTiming();
    const { http } = limited(clock, 0);
    const transport = new Transport({
      ...plainSettings,
      http,
      timing: clock,
      maxWaitMilliseconds: 0,
      budgetShare: shareBudgets(damagedFolder(), () => Promise.resolve('user')),
    });
    await expect(transport.send(read)).rejects.toThrow(RateLimitError);
  });
});

describe('the usage group of a request', () => {
  const cases = Object.entries(operations as Readonly<Record<string, Operation>>).filter(
    ([, operation]) => operation.group !== undefined,
  );
  it.each(cases)('spec:RATE-1 to RATE-4 %s is derived as in the contract', (_, operation) => {
    expect(rateGroupOf(operation.method, operation.path.replaceAll(/\{\w+\}/g, '7'))).toBe(operation.group);
  });

  it('is the group that a reply for another ID named', () => {
    const groups = new NamedGroups();
    const path = (id: string): string => `/restapi/v1.0/account/~/extension/~/ring-out/${id}`;
    expect(groups.of('GET', path('s-1a2b'))).toBe('light');
    groups.learn('GET', path('s-1a2b'), 'medium');
    for (const id of ['7', 's-3c4d', '0b8e5d2c-1111-4222-8333-abcdefabcdef'])
      expect(groups.of('GET', path(id))).toBe('medium');
    expect(groups.of('DELETE', path('7'))).toBe('heavy');
    groups.learn('GET', path('7'), 'light');
    expect(groups.of('GET', path('s-1a2b'))).toBe('light');
    groups.learn('GET', '/restapi/v1.0/account/~/device', 'heavy');
    expect(groups.of('GET', '/restapi/v1.0/account/7/device')).toBe('heavy');
  });

  const listed = readFileSync('docs/spec/current-operations.md', 'utf8').matchAll(
    /^\| <a id=\S+><\/a>(OPERATION-\d+) \| (\w+) ([AE]?)(?:`(\S+)`)? \| (\w+) /gm,
  );
  it.each(Array.from(listed, (found) => found.slice(1)))(
    'spec:%s has its usage group',
    (_rule, method = '', root = '', rest = '', group = '') => {
      const account = '/restapi/v1.0/account/~';
      const start = { A: account, E: `${account}/extension/~` }[root] ?? '';
      expect(rateGroupOf(method, start + rest.replaceAll(/\{\w+\}/g, '7'))).toBe(group);
    },
  );
});

describe('the waits of one request exceed --max-wait together', () => {
  /** Sends a read that the limiter delays by `waits`, and that the service rejects each time. */
  async function delayed(waits: readonly number[], retryAfter: string) {
    const clock = fakeTiming();
    const left = [...waits];
    const limiter: RateLimiter = {
      groupOf: () => 'light',
      take: () => Promise.resolve(left.shift() ?? 0),
      learn: () => Promise.resolve(),
      release: () => undefined,
      giveBack: () => Promise.resolve(),
      block: () => Promise.resolve(),
    };
    let sent = 0;
    const http: HttpSend = () => {
      sent += 1;
      const status = sent > 5 ? 200 : 429;
      return Promise.resolve(fakeReply({ status, body: {}, headers: { 'retry-after': retryAfter } }));
    };
    const settings = { ...plainSettings, http, limiter, timing: clock, maxWaitMilliseconds: 150_000 };
    await expect(new Transport(settings).send(read)).rejects.toThrow(RateLimitError);
    return { sent, slept: clock.slept };
  }

  it.each([
    ['before it is sent', [60_000, 60_000, 60_000, 60_000], '1', { sent: 0, slept: [60_000, 60_000] }],
    ['between two attempts', [0, 80_000, 0, 80_000], '1', { sent: 2, slept: [80_000] }],
    ['between three attempts', [0, 60_000, 0, 60_000, 0, 60_000], '1', { sent: 3, slept: [60_000, 60_000] }],
    ['with the penalty of a 429', [0, 100_000, 0, 0], '100', { sent: 2, slept: [100_000] }],
  ])('%s', async (_, waits, retryAfter, expected) => {
    expect(await delayed(waits, retryAfter)).toEqual(expected);
  });
});
