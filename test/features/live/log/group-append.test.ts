import { describe, expect, it } from 'vitest';
import { changeReport, enroll } from '../../../../src/features/fleet/index.ts';
import { PostgresEventLog } from '../../../../src/features/live/log/postgres-event-log.ts';
import type { Postgres } from '../../../../src/platform/postgres/postgres.ts';
import type { NewEvent } from '../../../../src/store/event-log.ts';
import { eventually } from '../../../support/eventually.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';

function event(key: string, extensionId: string, kind = 'message-store'): NewEvent {
  const path = `/restapi/v1.0/account/1/extension/${extensionId}/${kind}`;
  const raw = JSON.stringify({
    uuid: key,
    event: path,
    timestamp: 't',
    body: { text: 'a "quoted" \\ text, {}' },
  });
  return { receiver: 'main', key, origin: 'webhook', encrypted: false, raw };
}

/** A log that reports message events to the tasks of two mailboxes. */
async function reportingLog(): Promise<{ readonly db: Postgres; readonly log: PostgresEventLog }> {
  const { db } = await testStore();
  const tasks = ['101', '102'].map((subject) => ({ kind: 'messages', subject, label: subject }) as const);
  await enroll(db, tasks, { everySeconds: 3600, onDelete: 'keep' });
  const log = new PostgresEventLog(db, {
    event: 'messages',
    tables: (lanes) => changeReport('messages', lanes),
  });
  return { db, log };
}

/** Number of reported changes of each mailbox. */
async function changes(db: Postgres): Promise<Readonly<Record<string, number>>> {
  const rows = await db.query<{ subject: string; changes: number }>(
    'select subject, change_seq as changes from fleet_task order by subject',
  );
  return Object.fromEntries(rows.map((row) => [row.subject, row.changes]));
}

/** The server's process of a transaction. Other tests have stores in the same database, so only what it blocks is ours. */
async function processOf(transaction: Pick<Postgres, 'query'>): Promise<number> {
  const [row] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid ?? 0;
}

const count = async (db: Postgres, table: string): Promise<number | undefined> =>
  (await db.query<{ count: number }>(`select count(*) as count from ${table}`))[0]?.count;

describe.skipIf(postgresMissing())('events in PostgreSQL with a report to the workers', () => {
  it('report the mailboxes of new message events, and no others', async () => {
    const { db, log } = await reportingLog();
    const group = [event('a', '102'), event('b', '102'), event('c', '101', 'presence')];
    expect(await log.append(group)).toEqual(['new', 'new', 'new']);
    expect(await changes(db)).toEqual({ '101': 0, '102': 1 });
    expect(await log.append([event('a', '102'), event('d', '101', 'presence')])).toEqual([
      'duplicate',
      'new',
    ]);
    expect(await changes(db)).toEqual({ '101': 0, '102': 1 });
    expect((await db.query<{ raw: string }>(`select raw from event where key = 'a'`))[0]?.raw).toBe(
      event('a', '102').raw,
    );
  });

  it('are stored while a worker has locked the task, and leave a mark', async () => {
    const { db, log } = await reportingLog();
    await db.transaction(async (worker) => {
      await worker.query(`select 1 from fleet_task where subject = '102' for update`);
      expect(await log.append([event('a', '101'), event('b', '102')])).toEqual(['new', 'new']);
    });
    expect(await changes(db)).toEqual({ '101': 1, '102': 0 });
    expect(await count(db, 'fleet_mark')).toBe(1);
  });

  it('are not stored if the report fails', async () => {
    const { db, log } = await reportingLog();
    await db.script('alter table fleet_mark rename to moved');
    await expect(log.append([event('a', '102')])).rejects.toMatchObject({ code: 'store_incomplete' });
    expect(await count(db, 'event')).toBe(0);
    await db.script('alter table moved rename to fleet_mark');
    expect(await log.append([event('a', '102')])).toEqual(['new']);
    expect(await changes(db)).toEqual({ '101': 0, '102': 1 });
  });

  it('wait for the disk on a server that does not by default', async () => {
    const { db, log } = await reportingLog();
    await db.script(`create table seen (setting text);
      create function note() returns trigger language plpgsql as 'begin insert into seen values (current_setting(''synchronous_commit'')); return null; end';
      create trigger note after insert on event for each statement execute function note()`);
    await log.append([event('a', '102')]);
    expect(await db.query('select setting from seen')).toEqual([{ setting: 'on' }]);
  });

  it('are stored as they are if a text contains the separator of a group', async () => {
    const { db, log } = await reportingLog();
    const texts = ['"\u001E"', '\u001E', 'a\u001E\u001Eb\\ {"c"}', 'plain'];
    const odd = texts.map((raw, index) => Object.assign(event(String(index), '101'), { raw }));
    expect(await log.append(odd)).toEqual(['new', 'new', 'new', 'new']);
    expect(await db.query('select raw from event order by key')).toEqual(texts.map((raw) => ({ raw })));
  });

  it('are stored in the order of their arrival over several statements', async () => {
    const { db, log } = await reportingLog();
    const keys = Array.from({ length: 2100 }, (_, index) => String(index));
    await log.append(keys.map((key) => event(key, '101', 'presence')));
    const stored = await db.query<{ key: string; tx: string }>(
      'select key, tx::text as tx from event order by tx, id',
    );
    expect(stored.map(({ key }) => key)).toEqual(keys);
    expect(new Set(stored.map(({ tx }) => tx)).size).toBeGreaterThan(2);
  });

  it('are rejected if the connection is lost, and stored over a new connection', async () => {
    const { db, log } = await reportingLog();
    await log.append([event('a', '101')]);
    const results = await db.transaction(async (other) => {
      await other.script('lock table event');
      const blocking = await processOf(other);
      const both = [log.append([event('b', '101')]), turn().then(() => log.append([event('c', '101')]))];
      const settled = Promise.allSettled(both);
      await eventually(async () => {
        const ended = await db.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where $1 = any(pg_blocking_pids(pid)) and query like '%insert into event%'`,
          [blocking],
        );
        expect(ended).toHaveLength(1);
      });
      return settled;
    });
    const lost: unknown = expect.objectContaining({ code: 'store_connection_lost' });
    expect(results).toEqual([
      { status: 'rejected', reason: lost },
      { status: 'rejected', reason: lost },
    ]);
    expect(await log.append([event('b', '101'), event('c', '101')])).toEqual(['new', 'new']);
    expect(await count(db, 'event')).toBe(3);
  });

  it('are stored with a fence only while the process is the owner', async () => {
    const { db, log } = await reportingLog();
    await db.run(`insert into receiver (name, path, fence) values ('main', '/hook', 7)`);
    const owned = (key: string, fence: number, kind?: string) => ({ ...event(key, '102', kind), fence });
    const notOwner = { name: 'NotOwnerError' };
    expect(await log.append([owned('a', 7), owned('b', 7, 'presence')])).toEqual(['new', 'new']);
    expect(await log.append([owned('a', 7)])).toEqual(['duplicate']);
    await expect(log.append([owned('a', 6)])).rejects.toMatchObject(notOwner);
    await expect(log.append([owned('c', 6, 'presence')])).rejects.toMatchObject(notOwner);
    await expect(log.append([{ ...owned('d', 7), receiver: 'other' }])).rejects.toMatchObject(notOwner);
    // Each event of a group has its own result.
    const mixed = [owned('e', 7), owned('f', 6), event('g', '102')];
    const results = await Promise.allSettled(mixed.map((one) => log.append([one])));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(
      (await db.query<{ key: string }>('select key from event order by key')).map(({ key }) => key),
    ).toEqual(['a', 'b', 'e', 'g']);
  });

  it('that wait in the server are not stored after another process has become the owner', async () => {
    const { db, log } = await reportingLog();
    await db.run(`insert into receiver (name, path, fence) values ('main', '/hook', 7)`);
    const late = await db.transaction(async (transaction) => {
      await transaction.script('lock table event in exclusive mode');
      const waiting = log.append([{ ...event('a', '102'), fence: 7 }]);
      waiting.catch(() => undefined);
      const blocking = await processOf(transaction);
      const blocked = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      await eventually(async () => expect(await db.query(blocked, [blocking])).toHaveLength(1));
      await db.run(`update receiver set fence = 8`);
      return { waiting };
    });
    await expect(late.waiting).rejects.toMatchObject({ name: 'NotOwnerError' });
    expect(await count(db, 'event')).toBe(0);
    expect(await changes(db)).toEqual({ '101': 0, '102': 0 });
  });
});

/** Until requests that have already arrived are sent. */
const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(() => setImmediate(resolve)));
