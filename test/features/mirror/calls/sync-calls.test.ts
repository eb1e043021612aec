import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import {
  OtherCallLogError,
  SqliteCalls,
  syncCalls,
  type CallSyncReport,
} from '../../../../src/features/mirror/calls/index.ts';
import { callsOf, eraseCalls } from '../../../../src/features/mirror/calls/erase-calls.ts';
import { localCalls } from '../../../../src/features/mirror/calls/local-calls.ts';
import { openMirror } from '../../../../src/features/mirror/index.ts';
import type { Database } from '../../../../src/platform/sqlite.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 0, 5, 9);
const open: Database[] = [];
afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

function copy(): Database {
  const db = openMirror(join(temporaryFolder(), 'copy.sqlite'));
  open.push(db);
  return db;
}

/** A call that began this many seconds after the start. */
function call(second: number, more: Partial<CallLogRecord> = {}): CallLogRecord {
  return {
    uri: `https://service.test/restapi/v1.0/account/1/call-log/c${second}?view=Detailed`,
    id: `c${second}`,
    sessionId: `s${second}`,
    startTime: new Date(start + second * 1000).toISOString(),
    duration: 60,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result: 'Accepted',
    from: { phoneNumber: `+1415555${String(second % 10_000).padStart(4, '0')}` },
    lastModifiedTime: new Date(start + (second + 60) * 1000).toISOString(),
    legs: [],
    ...more,
  };
}

/** A service that has these calls and can end a reply after a number of records. */
class Service {
  readonly asked: { readonly dateFrom: string | undefined; readonly dateTo: string | undefined }[] = [];
  calls = new Map<string, CallLogRecord>();
  breaksAfter = Number.POSITIVE_INFINITY;
  isSorted = true;
  /** What it says that the time is; undefined: nothing. */
  time: number | undefined;

  set(...calls: readonly CallLogRecord[]): void {
    for (const one of calls) this.calls.set(one.id, one);
  }

  async *list({ dateFrom, dateTo }: { readonly dateFrom?: string; readonly dateTo?: string }) {
    this.asked.push({ dateFrom, dateTo });
    const [from, to] = [Date.parse(dateFrom ?? ''), Date.parse(dateTo ?? '')];
    const at = (one: CallLogRecord): number => Date.parse(one.startTime);
    const all = [...this.calls.values()].filter((one) => at(one) >= from && at(one) <= to);
    let count = 0;
    for (const one of this.isSorted ? all.toSorted((a, b) => at(b) - at(a)) : all) {
      if (count >= this.breaksAfter) throw new Error('cut');
      count += 1;
      yield one;
    }
  }

  now(): number | undefined {
    return this.time;
  }

  get(ids: readonly string[]): Promise<readonly (CallLogRecord | undefined)[]> {
    return Promise.resolve(ids.map((id) => this.calls.get(id)));
  }
}

function sync(
  db: Database,
  service: Service,
  now: number,
  more: {
    readonly since?: number;
    readonly full?: boolean;
    readonly isErased?: (n: readonly string[]) => boolean;
  } = {},
): Promise<CallSyncReport> {
  return syncCalls(new SqliteCalls(db), service, {
    scope: 'account',
    overlap: day,
    now,
    isErased: () => false,
    ...more,
  });
}

function storedCalls(db: Database): readonly CallLogRecord[] {
  return [...localCalls(db, { scope: 'account', from: 0, to: start + 1000 * day })];
}

function ids(db: Database): readonly string[] {
  return storedCalls(db)
    .map(({ id }) => id)
    .toSorted();
}

describe('a copy of the call log', () => {
  it('copies everything at first, then new calls and those that may have changed', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(0), call(10));
    expect(await sync(db, service, start + 100_000)).toMatchObject({ received: 2, added: 2, resumed: false });
    service.set(call(3 * 86_400));
    const later = await sync(db, service, start + 3 * day + 60_000);
    expect(later).toMatchObject({ received: 3, added: 1, unchanged: 2 });
    expect(service.asked[1]).toEqual({
      dateFrom: new Date(start + 100_000 - day).toISOString(),
      dateTo: new Date(start + 3 * day + 60_000).toISOString(),
    });
    expect(storedCalls(db)).toEqual([call(3 * 86_400), call(10), call(0)]);
  });

  it('reads late legs again within the overlap, and calls that continued whatever their age', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(0, { result: 'In Progress', lastModifiedTime: undefined }), call(2 * 86_400));
    await sync(db, service, start + 2 * day + 60_000);
    const leg = { ...call(2 * 86_400), transport: 'PSTN', legType: 'Accept' };
    const { uri: _uri, id: _id, sessionId: _session, legs: _legs, lastModifiedTime: _time, ...late } = leg;
    const whole = call(2 * 86_400, {
      legs: [late],
      lastModifiedTime: new Date(start + 3 * day).toISOString(),
    });
    service.set(call(0, { duration: 90_000 }), whole);
    expect(await sync(db, service, start + 3 * day)).toMatchObject({ changed: 2, added: 0 });
    expect(storedCalls(db)).toEqual([whole, call(0, { duration: 90_000 })]);
  });

  it('does not replace a call by an older state', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(0));
    await sync(db, service, start + 100_000);
    service.set(call(0, { result: 'Missed', lastModifiedTime: new Date(start).toISOString() }));
    expect(await sync(db, service, start + 200_000)).toMatchObject({ unchanged: 1, changed: 0 });
    expect(storedCalls(db)[0]?.result).toBe('Accepted');
  });

  it.each([1, 999, 1000, 1001, 2000, 2499])(
    'resumes after an interruption at record %i without a gap',
    async (breaksAfter) => {
      const [db, service] = [copy(), new Service()];
      // Pairs that began in the same second are split between two pages.
      service.set(...Array.from({ length: 2500 }, (_, n) => call(Math.floor(n / 2) * 2, { id: `n${n}` })));
      service.breaksAfter = breaksAfter;
      await expect(sync(db, service, start + 3 * day)).rejects.toThrow('cut');
      expect(storedCalls(db).length).toBe(Math.floor(breaksAfter / 1000) * 1000);
      service.breaksAfter = Number.POSITIVE_INFINITY;
      service.set(call(3 * 86_400 + 60, { id: 'new' }));
      const report = await sync(db, service, start + 4 * day);
      expect(report.resumed).toBe(breaksAfter >= 1000);
      expect(ids(db)).toEqual([...service.calls.keys()].toSorted());
      expect((await sync(db, service, start + 4 * day)).resumed).toBe(false);
    },
  );

  it('reads everything again after an interruption if the service changes the order', async () => {
    const [db, service] = [copy(), new Service()];
    service.isSorted = false;
    service.set(...Array.from({ length: 2500 }, (_, n) => call((n * 7919) % 2500)));
    service.breaksAfter = 1500;
    // The calls are older than the overlap, which the next sync reads in any case.
    await expect(sync(db, service, start + 3 * day)).rejects.toThrow('cut');
    service.breaksAfter = Number.POSITIVE_INFINITY;
    await sync(db, service, start + 3 * day);
    expect(ids(db)).toEqual([...service.calls.keys()].toSorted());
  });

  it('reads the calls that an earlier --since adds, and keeps those that the service deleted', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(0), call(5 * 86_400));
    await sync(db, service, start + 6 * day, { since: start + 4 * day });
    expect(ids(db)).toEqual([`c${5 * 86_400}`]);
    expect(await sync(db, service, start + 6 * day, { since: start })).toMatchObject({ added: 1 });
    service.calls.clear();
    await sync(db, service, start + 6 * day, { full: true });
    expect(ids(db)).toEqual(['c0', `c${5 * 86_400}`]);
  });

  it('copies no calls before --since, and changes of calls of any age in a full sync', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(3.5 * 86_400), call(4 * 86_400));
    await sync(db, service, start + 4 * day + 60_000, { since: start + 4 * day });
    await sync(db, service, start + 4 * day + 90_000);
    expect(ids(db)).toEqual([`c${4 * 86_400}`]);
    await sync(db, service, start + 6 * day);
    const changed = call(4 * 86_400, { result: 'Missed' });
    service.set(changed);
    expect(await sync(db, service, start + 6 * day)).toMatchObject({ received: 0 });
    expect(await sync(db, service, start + 6 * day, { full: true })).toMatchObject({ changed: 1 });
    expect(storedCalls(db)).toEqual([changed]);
  });

  it('requests an active call until it is 30 days old', async () => {
    const [db, service] = [copy(), new Service()];
    const requested: (readonly string[])[] = [];
    const get = (wanted: readonly string[]) => {
      requested.push(wanted);
      return Promise.resolve(wanted.map(() => undefined));
    };
    const source = Object.assign(service, { get });
    service.set(call(0, { result: 'In Progress' }), call(10));
    for (const days of [1, 20, 31, 32]) await sync(db, source, start + days * day + 20_000);
    expect(requested).toEqual([['c0']]);
  });

  it('loses no call if the clock of this machine was days ahead', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(0));
    service.time = start + 100_000;
    await sync(db, service, start + 5 * day);
    service.set(call(200), call(2 * 86_400));
    service.time = start + 6 * day;
    await sync(db, service, start + 6 * day);
    expect(ids(db)).toEqual([...service.calls.keys()].toSorted());
  });

  it('reads calls again that were missed while the clock was ahead, if the service sends no time', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(call(0));
    await sync(db, service, start + 5 * day);
    service.set(call(200));
    await sync(db, service, start + day / 2);
    expect(ids(db)).toEqual(['c0', 'c200']);
    service.set(call(2 * 86_400));
    await sync(db, service, start + 2 * day + 60_000);
    expect(ids(db)).toEqual([...service.calls.keys()].toSorted());
  });

  it('loses no call if the clock was ahead when a sync was interrupted', async () => {
    const [db, service] = [copy(), new Service()];
    service.set(...Array.from({ length: 1500 }, (_, n) => call(n)));
    service.breaksAfter = 1200;
    await expect(sync(db, service, start + 5 * day)).rejects.toThrow('cut');
    service.breaksAfter = Number.POSITIVE_INFINITY;
    service.set(call(1600));
    service.time = start + 3600_000;
    await sync(db, service, service.time);
    expect(ids(db)).toEqual([...service.calls.keys()].toSorted());
  });

  it('rejects the log of another account, and stores none of its records', async () => {
    const [db, service, other] = [copy(), new Service(), new Service()];
    service.set(call(0));
    await sync(db, service, start + 100_000);
    other.set(call(20, { uri: 'https://service.test/restapi/v1.0/account/2/call-log/c20?view=Detailed' }));
    await expect(sync(db, other, start + 200_000)).rejects.toBeInstanceOf(OtherCallLogError);
    expect(ids(db)).toEqual(['c0']);
  });

  it('erases a number from sides and legs, and does not copy it again', async () => {
    const [db, service] = [copy(), new Service()];
    const number = '+14155550000';
    const { uri: _uri, id: _id, sessionId: _session, legs: _legs, lastModifiedTime: _time, ...leg } = call(0);
    service.set(call(0), call(5, { legs: [{ ...leg, transport: 'PSTN', legType: 'FindMe' }] }), call(9));
    await sync(db, service, start + 100_000);
    expect(callsOf(db, number)).toBe(2);
    eraseCalls(db, number);
    expect(ids(db)).toEqual(['c9']);
    const isErased = (numbers: readonly string[]): boolean => numbers.includes(number);
    expect(await sync(db, service, start + 100_000, { isErased })).toMatchObject({ erased: 2, added: 0 });
    expect(ids(db)).toEqual(['c9']);
  });
});
