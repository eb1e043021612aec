import { describe, expect, it } from 'vitest';
import { trimFeed, type Postgres } from '../../src/store/index.ts';
import { eventually } from '../support/eventually.ts';
import { postgresMissing, testStore } from '../support/postgres.ts';

const oldChanges = { days: 0, forget: [], dryRun: false } as const;

/** Adds a change that is older than all transactions in progress, also those of other tests. @returns its position. */
async function addChange(db: Postgres, tx: number): Promise<string> {
  const [row] = await db.query<{ change: string }>(
    `insert into message_change (tx, extension_id, message_id, change) values ($1::text::xid8, '1', '1', 'added')
     returning change_id::text as change`,
    [String(tx)],
  );
  return row?.change ?? '';
}

/** Runs `work` while a reader starts. @param work gets a function that resolves when a session waits for the reader. */
async function whileReaderStarts(
  db: Postgres,
  work: (isAwaited: () => Promise<void>) => Promise<void>,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.query("select feed_advance('report', '0'::xid8, 0)");
    const [own] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
    await work(() =>
      eventually(async () => {
        const sql = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
        expect(await db.query(sql, [own?.pid ?? 0])).toHaveLength(1);
      }),
    );
  });
}

describe.skipIf(postgresMissing())('a trim of the change feed', () => {
  it('does not wait for a reader of another store of the database', async () => {
    const [{ db }, other] = [await testStore(), await testStore()];
    await whileReaderStarts(other.db, async () => {
      expect(await trimFeed(db, oldChanges)).toMatchObject({ deleted: 0 });
    });
  });

  it('respects a reader that starts', async () => {
    const { db } = await testStore();
    await addChange(db, 10);
    let trimmed: ReturnType<typeof trimFeed> | undefined;
    await whileReaderStarts(db, async (isAwaited) => {
      trimmed = trimFeed(db, oldChanges);
      await isAwaited();
    });
    expect(await trimmed).toEqual({ deleted: 0, remaining: 1, blockedBy: 'report' });
  });

  it('rejects a reader that starts before its end', async () => {
    const { db } = await testStore();
    const change = await addChange(db, 10);
    await addChange(db, 11);
    expect(await trimFeed(db, oldChanges)).toEqual({ deleted: 2, remaining: 0, blockedBy: undefined });
    const advance = db.query("select feed_advance('report', '10'::xid8, $1::text::bigint)", [change]);
    await expect(advance).rejects.toThrow('changes after this position were deleted');
  });
});
