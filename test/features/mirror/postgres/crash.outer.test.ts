import { describe, expect, it, onTestFinished } from 'vitest';
import type { CallLogRecord } from '../../../../src/contract/call-log.ts';
import { PostgresCalls } from '../../../../src/features/mirror/postgres/calls.ts';
import {
  connectStore,
  initializeStore,
  newestMigration,
  type Postgres,
} from '../../../../src/store/index.ts';
import type { CallStream } from '../../../../src/store/call-store.ts';
import { postgresMissing } from '../../../support/postgres.ts';
import { startPostgres } from '../../../support/postgres-cluster.ts';

// This test crashes its server, so it has a server of its own.

const owned =
  postgresMissing() ??
  (process.env['UCCTL_TEST_POSTGRES'] ? 'the server of UCCTL_TEST_POSTGRES is not stopped' : undefined);

const callsOfPage = 10;

function page(number: number): readonly CallLogRecord[] {
  return Array.from({ length: callsOfPage }, (_, more) => {
    const id = number * callsOfPage + more;
    return {
      uri: `https://service.example/restapi/v1.0/account/1/call-log/c${id}`,
      id: `c${id}`,
      sessionId: String(id),
      startTime: new Date(Date.UTC(2026, 0, 5) - id * 1000).toISOString(),
      duration: 10,
      type: 'Voice',
      direction: 'Inbound',
      action: 'Phone Call',
      result: 'Accepted',
    };
  });
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

describe.skipIf(owned)('a server that crashes between pages of calls', () => {
  it('loses calls only together with their position', async () => {
    const cluster = await startPostgres({
      // The server writes its log only for commits that wait for the disk.
      settings: { synchronous_commit: 'on', fsync: 'on', full_page_writes: 'on', wal_writer_delay: '10s' },
    });
    onTestFinished(() => cluster.stop());
    const open = (): Postgres => {
      const db = connectStore({ url: `${cluster.url}/postgres`, source: 'the test', env: {} });
      onTestFinished(() => db.close());
      return db;
    };
    let db = open();
    await initializeStore(db, {});
    let lost = 0;
    let stored = 0;
    for (let round = 1; round <= 5; round += 1) {
      const calls = new PostgresCalls(db, newestMigration());
      for (let one = 0; one < round; one += 1)
        await calls.apply('account', page(stored + one), streamAfter(stored + one + 1), () => false);
      await cluster.kill();
      await cluster.start();
      db = open();
      const stream = await new PostgresCalls(db, newestMigration()).stream('account');
      const pages = (stream?.pending?.from ?? 0) / 1000;
      expect(await callCount(db)).toBe(pages * callsOfPage);
      lost += stored + round - pages;
      stored = pages;
    }
    // Otherwise the test shows nothing.
    expect(lost).toBeGreaterThan(0);
    const calls = new PostgresCalls(db, newestMigration());
    await calls.apply('account', page(stored), { ...streamAfter(0), pending: undefined }, () => false);
    await cluster.kill();
    await cluster.start();
    expect(await callCount(open())).toBe((stored + 1) * callsOfPage);
  });
});
