import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import { syncCalls, type CallSyncReport } from '../../../../src/features/mirror/calls/index.ts';
import { PostgresCalls } from '../../../../src/features/mirror/postgres/calls.ts';
import { connectStore, initializeStore, type Postgres } from '../../../../src/store/index.ts';
import type { CallStream } from '../../../../src/store/call-store.ts';
import { postgresMissing } from '../../../support/postgres.ts';
import { startPostgres, type PostgresCluster } from '../../../support/postgres-cluster.ts';

// This test crashes its server, so it has a server of its own.

const owned =
  postgresMissing() ??
  (process.env['UCCTL_TEST_POSTGRES'] ? 'the server of UCCTL_TEST_POSTGRES is not stopped' : undefined);

const callsOfPage = 10;
const end = Date.UTC(2026, 0, 5);

/** A call that began this many seconds before the end. */
function call(id: number, second = id): CallLogRecord {
  return {
    uri: `https://service.example/restapi/v1.0/account/1/call-log/c${id}`,
    id: `c${id}`,
    sessionId: String(id),
    startTime: new Date(end - second * 1000).toISOString(),
    duration: 10,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result: 'Accepted',
  };
}

function page(number: number): readonly CallLogRecord[] {
  return Array.from({ length: callsOfPage }, (_, more) => call(number * callsOfPage + more));
}

/** The position after a number of pages, which are not the last ones of their list. */
function streamAfter(pages: number): CallStream {
  const pending = { from: pages * 1000, to: 1_000_000, target: 1_000_000 };
  return { owner: '/account/1', dateFrom: 0, completeTo: undefined, pending, syncedAt: undefined };
}

async function callCount(db: Postgres): Promise<number> {
  const [row] = await db.query<{ calls: number }>('select count(*)::int as calls from call_record');
  return row?.calls ?? 0;
}

/** A server whose log reaches the disk only with commits that wait for it, and an initialized store. */
async function ownStore(): Promise<{
  readonly cluster: PostgresCluster;
  readonly db: Postgres;
  readonly open: () => Postgres;
}> {
  const cluster = await startPostgres({
    settings: { synchronous_commit: 'on', fsync: 'on', full_page_writes: 'on', wal_writer_delay: '10s' },
  });
  onTestFinished(() => cluster.stop());
  const open = (): Postgres => {
    const db = connectStore({ url: `${cluster.url}/postgres`, source: 'the test', env: {} });
    onTestFinished(() => db.close());
    return db;
  };
  const db = open();
  await initializeStore(db, {});
  return { cluster, db, open };
}

describe.skipIf(owned)('a server that crashes between pages of calls', () => {
  it('loses calls only together with their position', async () => {
    const { cluster, open, ...first } = await ownStore();
    let { db } = first;
    let lost = 0;
    let stored = 0;
    for (let round = 1; round <= 5; round += 1) {
      const calls = new PostgresCalls(db);
      for (let one = 0; one < round; one += 1)
        await calls.apply('account', page(stored + one), streamAfter(stored + one + 1), () => false);
      await cluster.kill();
      await cluster.start();
      db = open();
      const stream = await new PostgresCalls(db).stream('account');
      const pages = (stream?.pending?.from ?? 0) / 1000;
      expect(await callCount(db)).toBe(pages * callsOfPage);
      lost += stored + round - pages;
      stored = pages;
    }
    // Otherwise the test shows nothing.
    expect(lost).toBeGreaterThan(0);
    const calls = new PostgresCalls(db);
    await calls.apply('account', page(stored), { ...streamAfter(0), pending: undefined }, () => false);
    await cluster.kill();
    await cluster.start();
    expect(await callCount(open())).toBe((stored + 1) * callsOfPage);
  });

  const ids = Array.from({ length: 5500 }, (_, id) => id);
  const crashes = { 1500: 'crash', 3500: 'crash', 5000: 'crash' } as const;
  it.each([
    ['whose positions differ', ids.map((id) => call(id)), false, crashes, true],
    ['read again from the beginning', ids.map((id) => call(id)), true, crashes, true],
    // Calls of the same second do not change the position. The server does not lose the first page with it.
    [
      'whose positions are equal',
      ids.map((id) => call(id, 0)),
      false,
      { 1500: 'flush', 2500: 'crash' } as const,
      false,
    ],
    ['of an unordered list', ids.map((id) => call(id, 5500 - id)), false, crashes, true],
  ])('does not cost a running sync pages %s', async (_name, records, full, actions, isLoss) => {
    const { cluster, db } = await ownStore();
    let lost = 0;
    const act = async (action: 'crash' | 'flush'): Promise<void> => {
      if (action === 'flush') return db.script('checkpoint');
      const before = await callCount(db);
      await cluster.kill();
      await cluster.start();
      lost += before - (await callCount(db));
    };
    const sync = (due: Map<number, 'crash' | 'flush'>, now: number): Promise<CallSyncReport> => {
      let read = 0;
      async function* list({ dateFrom = '', dateTo = '' }) {
        for (const record of records) {
          const at = Date.parse(record.startTime);
          if (at < Date.parse(dateFrom) || at > Date.parse(dateTo)) continue;
          const action = due.get(read);
          due.delete(read);
          if (action) await act(action);
          read += 1;
          yield record;
        }
      }
      const source = { list, now: () => undefined, get: () => Promise.resolve([]) };
      const options = { scope: 'account', overlap: 0, now, full, isErased: () => false };
      return syncCalls(new PostgresCalls(db), source, options);
    };
    const due = new Map(Object.entries(actions).map(([read, action]) => [Number(read), action]));
    const report = await sync(due, end + 60_000);
    expect(due.size).toBe(0);
    expect(await callCount(db)).toBe(records.length);
    // Otherwise the test shows nothing.
    expect(lost > 0).toBe(isLoss);
    expect(report).toMatchObject({ added: records.length, changed: 0, resumed: false });
    expect(await db.query('select account_id from archive_account')).toEqual([{ account_id: '1' }]);
    expect(await sync(new Map(), end + 120_000)).toMatchObject({ added: 0, changed: 0 });
  });
});
