import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import { syncCalls } from '../../../../src/features/mirror/calls/index.ts';
import { allTimes, knownOfPageSql } from '../../../../src/features/mirror/postgres/call-position.ts';
import { PostgresCalls } from '../../../../src/features/mirror/postgres/calls.ts';
import { eraseNumber } from '../../../../src/features/mirror/postgres/erased.ts';
import { Postgres } from '../../../../src/store/index.ts';
import type { CallStream } from '../../../../src/store/call-store.ts';
import { eventually } from '../../../support/eventually.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';

function page(first: number, count: number): readonly CallLogRecord[] {
  return Array.from({ length: count }, (_, more) => ({
    uri: `https://service.example/restapi/v1.0/account/1/call-log/c${first + more}`,
    id: `c${first + more}`,
    sessionId: String(first + more),
    startTime: new Date(Date.UTC(2026, 0, 5) - (first + more) * 1000).toISOString(),
    duration: 10,
    type: 'Voice',
    direction: 'Inbound',
    action: 'Phone Call',
    result: 'Accepted',
  }));
}

const stream: CallStream = {
  owner: '/account/1',
  dateFrom: 0,
  completeTo: undefined,
  pending: undefined,
  syncedAt: undefined,
};

describe.skipIf(postgresMissing())('calls in PostgreSQL', () => {
  it('looks up each ID in the index while the table has no statistics', async () => {
    const { db } = await testStore();
    await db.script('alter table call_record set (autovacuum_enabled = false)');
    const calls = new PostgresCalls(db);
    await calls.apply('account', page(0, 3000), stream, () => false);
    const [row] = await db.query<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) ${knownOfPageSql}`,
      ['account', page(2900, 200).map(({ id }) => id), allTimes.first, allTimes.last],
    );
    const plan = JSON.stringify(row?.['QUERY PLAN']);
    expect(plan).toContain('(record_id = given.id)');
    expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort Key/);
    expect(plan).toMatch(/"Actual Rows":100,/);
  });

  it('reads one entry of the index of times, also if only another scope has calls', async () => {
    const { db } = await testStore();
    await db.script('alter table call_record set (autovacuum_enabled = false)');
    const calls = new PostgresCalls(db);
    await calls.apply('account', page(0, 3000), stream, () => false);
    const [oldest = '', newest = ''] = [2000, 1990].map((index) => page(index, 1)[0]?.startTime);
    const [row] = await db.query<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) ${knownOfPageSql}`,
      ['~', ['c1'], oldest, newest],
    );
    const plan = JSON.stringify(row?.['QUERY PLAN']);
    expect(plan).toMatch(/"Actual Rows":1,"Actual Loops":1,"Index Cond":"\(start_time >=/);
    expect(plan).not.toMatch(/Seq Scan|Bitmap|Sort Key|"Rows Removed by Filter":[^0]/);
  });

  it.each([
    [
      `select result, count(*) from v_call where start_time >= '2026-01-04T22:30' group by result`,
      'call_by_start',
    ],
    [`select start_time from v_call where extension_id = '17' order by start_time`, 'call_by_extension'],
  ])('answers the report "%s" with an index', async (report, index) => {
    const { db } = await testStore();
    const calls = new PostgresCalls(db);
    const records = page(0, 20_000).map((record, at) =>
      Object.assign(record, { extension: { id: at % 1000, uri: '' } }),
    );
    await calls.apply('account', records, stream, () => false);
    await db.script('analyze call_record');
    const [row] = await db.query<{ 'QUERY PLAN': unknown }>(`explain (format json) ${report}`);
    expect(JSON.stringify(row?.['QUERY PLAN'])).toMatch(new RegExp(`"Index Name": ?"${index}"`));
  });

  it('does not wait for another store of the database, which erases and stores data', async () => {
    const [{ db }, other] = [await testStore(), await testStore()];
    const storing = (store: Postgres) =>
      new PostgresCalls(store).apply('account', page(0, 1), stream, () => false);
    const waiting: Promise<unknown>[] = [];
    await other.db.transaction(async (transaction) => {
      await transaction.script('lock table message');
      const [own] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      /** Waits until a session waits for this one. @returns the waiting session. */
      const blockedBy = (pid: number): Promise<number> =>
        eventually(async () => {
          const sql = 'select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
          const [blocked] = await other.db.query<{ pid: number }>(sql, [pid]);
          expect(blocked).toBeDefined();
          return blocked?.pid ?? 0;
        });
      waiting.push(eraseNumber(other.db, '+15555550100', 0));
      const eraser = await blockedBy(own?.pid ?? 0);
      waiting.push(storing(other.db));
      await blockedBy(eraser);
      expect(await storing(db)).toMatchObject({ added: 1 });
    });
    await Promise.all(waiting);
  });

  it('adds the new calls of a page whose other calls are stored', async () => {
    const { db } = await testStore();
    const calls = new PostgresCalls(db);
    await calls.apply('account', page(0, 600), stream, () => false);
    const counts = await calls.apply('account', page(300, 1000), stream, () => false);
    expect(counts).toEqual({ received: 1000, erased: 0, added: 700, changed: 0, unchanged: 300 });
    const stored = await db.query<{ id: string }>('select record_id as id from call_record order by pk');
    const oldestFirst = (first: number, count: number): readonly string[] =>
      page(first, count)
        .map(({ id }) => id)
        .toReversed();
    expect(stored.map(({ id }) => id)).toEqual([...oldestFirst(0, 600), ...oldestFirst(600, 700)]);
  });

  it('looks up no ID if the archive has no call of that time', async () => {
    const { db } = await testStore();
    const calls = new PostgresCalls(db);
    await calls.apply('account', page(0, 100), stream, () => false);
    const values = ['account', ['c0'], page(200, 1)[0]?.startTime ?? '', page(100, 1)[0]?.startTime ?? ''];
    expect(await db.query(knownOfPageSql, values)).toEqual([{ array: [] }]);
  });

  it('stores a page with a call whose start time changed', async () => {
    const { db } = await testStore();
    const calls = new PostgresCalls(db);
    await calls.apply('account', page(0, 100), stream, () => false);
    const moved = page(0, 1).map((record) =>
      Object.assign(record, { startTime: '2025-01-01T00:00:00.000Z' }),
    );
    const counts = await calls.apply('account', [...page(500, 300), ...moved], stream, () => false);
    expect(counts).toMatchObject({ received: 301, added: 300, changed: 1 });
    const sql =
      "select count(*) as calls, min(start_time) filter (where record_id = 'c0') as moved from call_record";
    expect(await db.query(sql)).toEqual([{ calls: 400, moved: '2025-01-01T00:00:00.000Z' }]);
  });

  it('stores each call once if two processes sync the same scope', async () => {
    const { db } = await testStore();
    const records = page(0, 5500);
    const now = Date.UTC(2026, 0, 5, 1);
    const sync = () => {
      async function* list({ dateFrom = '', dateTo = '' }) {
        const isWanted = ({ startTime }: CallLogRecord): boolean =>
          Date.parse(startTime) >= Date.parse(dateFrom) && Date.parse(startTime) <= Date.parse(dateTo);
        yield* records.filter(isWanted);
      }
      const source = { list, now: () => undefined, get: () => Promise.resolve([]) };
      const options = { scope: 'account', overlap: 0, now, isErased: () => false };
      return syncCalls(new PostgresCalls(db), source, options);
    };
    const reports = await Promise.all([sync(), sync()]);
    expect(reports.reduce((sum, { added }) => sum + added, 0)).toBe(records.length);
    expect(
      await db.query('select count(*)::int as calls, complete_to from call_record, call_stream group by 2'),
    ).toEqual([{ calls: records.length, complete_to: new Date(now).toISOString() }]);
  });

  it('stores no page after another position than its own', async () => {
    const { db } = await testStore();
    const [one, other] = [1, 2].map(() => new PostgresCalls(db));
    await one?.apply('account', page(0, 10), stream, () => false);
    await other?.stream('account');
    await one?.apply('account', page(10, 10), { ...stream, dateFrom: 1000 }, () => false);
    await expect(other?.apply('account', page(20, 10), stream, () => false)).rejects.toMatchObject({
      name: 'PositionChangedError',
    });
    expect(await db.query('select count(*)::int as calls from call_record')).toEqual([{ calls: 20 }]);
    expect(await other?.stream('account')).toMatchObject({ dateFrom: 1000 });
    await other?.apply('account', page(20, 10), stream, () => false);
    expect(await db.query('select count(*)::int as calls from call_record')).toEqual([{ calls: 30 }]);
  });

  it('waits for the disk of the server only after the last page of a list', async () => {
    const { db } = await testStore();
    await db.script(`create table commit_setting (pending text, setting text);
      create function note_setting() returns trigger language plpgsql as $$ begin
        insert into commit_setting values (new.pending_from, current_setting('synchronous_commit'));
        return new;
      end $$;
      create trigger note_setting after insert or update on call_stream for each row execute function note_setting()`);
    const one = new Postgres(db.settings, { poolSize: 1 });
    onTestFinished(() => one.close());
    await one.script('set synchronous_commit = remote_write');
    const calls = new PostgresCalls(one);
    const pending = { from: 0, to: 1000, target: 1000 };
    await calls.apply('account', page(0, 10), { ...stream, pending }, () => false);
    await calls.apply('account', page(10, 10), stream, () => false);
    expect(await db.query('select pending, setting from commit_setting')).toEqual([
      { pending: '1970-01-01T00:00:00.000Z', setting: 'off' },
      { pending: null, setting: 'remote_write' },
    ]);
  });
});
