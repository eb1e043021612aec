import { describe, expect, it, onTestFinished } from 'vitest';
import { PostgresEventLog } from '../../../../src/features/live/log/postgres-event-log.ts';
import { connectStore } from '../../../../src/store/index.ts';
import { readNotification } from '../../../../src/features/live/notification/notification.ts';
import { UnknownConsumerError } from '../../../../src/features/live/log/unknown-consumer.ts';
import type { ClaimedEvent, NewEvent } from '../../../../src/store/event-log.ts';
import { Dice } from '../../../support/dice.ts';
import { eventually } from '../../../support/eventually.ts';
import { clockStore, postgresMissing, testStore } from '../../../support/postgres.ts';

const start = Date.UTC(2026, 0, 5, 9);

/** A log of this test, and further openings of the same log as other machines have them. */
interface Subject {
  readonly log: PostgresEventLog;
  readonly another: () => PostgresEventLog;
  /** Sets the clock to milliseconds after the start. */
  readonly at: (milliseconds: number) => Promise<void>;
}

async function openLog(): Promise<Subject> {
  const { db, url, setClock } = await clockStore(start);
  return {
    log: new PostgresEventLog(db),
    another: () => {
      const other = connectStore({ url, source: 'the test', env: {} });
      onTestFinished(() => other.close());
      return new PostgresEventLog(other);
    },
    at: (milliseconds) => setClock(start + milliseconds),
  };
}

/** A text that no index of PostgreSQL can contain, because it does not become short by compression. */
const longText = (() => {
  const dice = new Dice(7);
  return Array.from({ length: 4000 }, () => dice.integer(0, 999_999).toString(36)).join('');
})();

/** A notification as the receiver passes it to the log. */
function received({
  uuid,
  extensionId = '101',
}: {
  readonly uuid: string;
  readonly extensionId?: string;
}): NewEvent {
  const raw = JSON.stringify({ uuid, event: '/restapi/v1.0/x', body: { extensionId } });
  const { key = '' } = readNotification(raw) ?? {};
  return { receiver: 'main', key, origin: 'webhook', encrypted: false, raw };
}

function event(key: number, extensionId: number | string = 101, receiver = 'main'): NewEvent {
  const raw = JSON.stringify({ uuid: `u${key}`, event: '/restapi/v1.0/x', body: { extensionId, key } });
  return { receiver, key: `u${key}`, origin: 'webhook', encrypted: false, raw };
}

const claiming = { worker: 'w', leaseMilliseconds: 1000, limit: 10 };
const keysOf = (events: readonly { readonly key: string }[]): readonly string[] =>
  events.map(({ key }) => key);

/** Claims until something is due: in PostgreSQL, an event is final when older transactions have ended. */
async function claimed(
  log: PostgresEventLog,
  consumer: string,
  limit = 10,
): Promise<readonly ClaimedEvent[]> {
  return eventually(async () => {
    const events = await log.claim(consumer, { ...claiming, limit });
    expect(events).not.toHaveLength(0);
    return events;
  });
}

/** Finishes everything that is due. @returns the keys in the order of the claims. */
async function drain(log: PostgresEventLog, consumer: string, count: number): Promise<readonly string[]> {
  const keys: string[] = [];
  await eventually(async () => {
    for (;;) {
      const events = await log.claim(consumer, claiming);
      for (const one of events) {
        expect(await log.finish(one)).toBe(true);
        keys.push(one.key);
      }
      if (events.length === 0) break;
    }
    expect(keys.length).toBeGreaterThanOrEqual(count);
  });
  return keys;
}

describe.skipIf(postgresMissing())('an event log', () => {
  it('stores each key of a receiver once, also from several machines and after a day', async () => {
    const { log, another, at } = await openLog();
    const other = another();
    expect(await log.append([event(1), event(2), event(1)])).toEqual(['new', 'new', 'duplicate']);
    await at(25 * 3_600_000);
    expect(await other.append([event(2), event(3)])).toEqual(['duplicate', 'new']);
    expect(await log.append([event(3), event(3, 101, 'backup')])).toEqual(['duplicate', 'new']);
    const results = await Promise.all(
      [log, other].flatMap((one) => Array.from({ length: 40 }, (_, n) => one.append([event(100 + n)]))),
    );
    expect(results.flat().filter((result) => result === 'new')).toHaveLength(40);
    const stored = await eventually(async () => {
      const events = await log.after(undefined, 1000);
      expect(events).toHaveLength(44);
      return events;
    });
    expect(stored[0]).toMatchObject({ ...event(1), lane: '101', receivedAt: start });
    expect(new Set(stored.map(({ receiver, key }) => `${receiver} ${key}`)).size).toBe(44);
  });

  it.each([
    ['a uuid with a NUL', 'uuid', 'a\u0000b'],
    ['half of a surrogate pair as uuid', 'uuid', '\ud800'],
    ['a very long uuid', 'uuid', longText],
    ['an extension with a NUL', 'extensionId', 'a\u0000b'],
    ['an extension with a very long ID', 'extensionId', longText],
  ])(
    'stores a notification that has %s once, and those that arrive with it',
    async (_what, member, value) => {
      const { log } = await openLog();
      await log.addConsumer('report', { start: 'start' });
      const strange = received({ uuid: 'u1', [member]: value });
      const appended = await Promise.all([strange, event(2), event(3)].map((one) => log.append([one])));
      expect(appended.flat()).toEqual(['new', 'new', 'new']);
      expect(await log.append([strange])).toEqual(['duplicate']);
      await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(3));
      const events = await claimed(log, 'report');
      expect(events.map(({ raw }) => raw)).toContain(strange.raw);
    },
  );

  it('is read in pages by position', async () => {
    const { log } = await openLog();
    for (let n = 1; n <= 5; n += 1) await log.append([event(n)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(5));
    const first = await log.after(undefined, 2);
    const rest = await log.after(first.at(-1)?.position, 10);
    expect(keysOf([...first, ...rest])).toEqual(['u1', 'u2', 'u3', 'u4', 'u5']);
    expect(await log.after(rest.at(-1)?.position, 10)).toEqual([]);
  });

  it('gives a consumer the events of one extension in order, and those of others at the same time', async () => {
    const { log, another } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1, 101), event(2, 102), event(3, 101), event(4, 102), event(5, 103)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(5));
    const first = await claimed(log, 'report');
    expect(keysOf(first)).toEqual(['u1', 'u2', 'u5']);
    const other = another();
    expect(await other.claim('report', claiming)).toEqual([]);
    expect(await log.finish(first[0] as ClaimedEvent)).toBe(true);
    expect(keysOf(await other.claim('report', claiming))).toEqual(['u3']);
    expect(await log.consumers()).toEqual([
      { name: 'report', receiver: undefined, behind: 0, pending: 4, claimed: 3, dead: 0, oldestAt: start },
    ]);
  });

  it('gives an event to another worker when the lease ends, and rejects the first one', async () => {
    const { log, another, at } = await openLog();
    const other = another();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1)]);
    const [stalled] = await claimed(log, 'report');
    expect(stalled).toMatchObject({ key: 'u1', attempt: 1, consumer: 'report' });
    await at(900);
    expect(await log.extend(stalled as ClaimedEvent, 1000)).toBe(true);
    await at(1800);
    expect(await other.claim('report', claiming)).toEqual([]);
    await at(1901);
    const [second] = await other.claim('report', claiming);
    expect(second).toMatchObject({ key: 'u1', attempt: 2 });
    expect(await log.finish(stalled as ClaimedEvent)).toBe(false);
    expect(await log.extend(stalled as ClaimedEvent, 1000)).toBe(false);
    expect(await log.fail(stalled as ClaimedEvent, 'late', 'dead')).toBe(false);
    expect(await other.finish(second as ClaimedEvent)).toBe(true);
    expect(await other.finish(second as ClaimedEvent)).toBe(false);
  });

  it('retries later, holds up the extension meanwhile, and continues after a dead letter', async () => {
    const { log, at } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1), event(2), event(3)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(3));
    const [first] = await claimed(log, 'report');
    expect(await log.fail(first as ClaimedEvent, 'exit code 1', 5000)).toBe(true);
    await at(4999);
    expect(await log.claim('report', claiming)).toEqual([]);
    await at(5000);
    const [again] = await log.claim('report', claiming);
    expect(again).toMatchObject({ key: 'u1', attempt: 2 });
    expect(await log.fail(again as ClaimedEvent, 'exit code 2', 'dead')).toBe(true);
    expect(await drain(log, 'report', 2)).toEqual(['u2', 'u3']);
    const [dead] = await log.deadEvents('report');
    expect(dead).toMatchObject({ key: 'u1', attempts: 2, problem: 'exit code 2' });
    expect(await log.retryDead('report', [-1])).toBe(0);
    expect(await log.retryDead('report', [dead?.id ?? 0])).toBe(1);
    const [third] = await log.claim('report', claiming);
    expect(third).toMatchObject({ key: 'u1', attempt: 1 });
    await log.fail(third as ClaimedEvent, 'exit code 3', 'dead');
    expect(await log.dropDead('report')).toBe(1);
    expect(await log.deadEvents('report')).toEqual([]);
  });

  it('does not delay a retry for hours after the clock was set back', async () => {
    const { log, at } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1)]);
    await at(3_600_000);
    const [first] = await claimed(log, 'report');
    expect(await log.fail(first as ClaimedEvent, 'exit code 1', 600_000)).toBe(true);
    await at(3_600_000 - 59_000);
    expect(await log.claim('report', claiming)).toEqual([]);
    await at(0);
    expect(await log.claim('report', claiming)).toMatchObject([{ key: 'u1', attempt: 2 }]);
  });

  it('gives an event to another worker if the clock was set back by hours and the first one was lost', async () => {
    const { log, at } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1)]);
    await at(3_600_000);
    const [lost] = await claimed(log, 'report');
    expect(lost).toMatchObject({ key: 'u1' });
    await at(3_600_000 - 500);
    expect(await log.claim('report', claiming)).toEqual([]);
    await at(0);
    expect(await log.claim('report', claiming)).toMatchObject([{ key: 'u1', attempt: 2 }]);
    expect(await log.finish(lost as ClaimedEvent)).toBe(false);
  });

  it('delivers a retried dead event only after the later event in progress of its extension', async () => {
    const { log, another } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1), event(2), event(3), event(4, 102)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(4));
    const [first, other] = await claimed(log, 'report');
    await log.fail(first as ClaimedEvent, 'exit code 1', 'dead');
    const [later] = await log.claim('report', claiming);
    expect([later?.key, other?.key]).toEqual(['u2', 'u4']);
    expect(await log.retryDead('report')).toBe(1);
    expect(await another().claim('report', claiming)).toEqual([]);
    expect(await log.finish(later as ClaimedEvent)).toBe(true);
    expect(await drain(log, 'report', 2)).toEqual(['u1', 'u3']);
  });

  it('replays the events of an extension only after its later event in progress', async () => {
    const { log, another } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1), event(2), event(3)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(3));
    const [first] = await claimed(log, 'report');
    await log.finish(first as ClaimedEvent);
    const [running] = await log.claim('report', claiming);
    expect(running?.key).toBe('u2');
    await log.replay('report', 'start');
    expect(await another().claim('report', claiming)).toEqual([]);
    expect(await log.finish(running as ClaimedEvent)).toBe(true);
    expect(await drain(log, 'report', 2)).toEqual(['u1', 'u3']);
  });

  it('does not count an attempt that a worker releases', async () => {
    const { log, another, at } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1)]);
    const [first] = await claimed(log, 'report');
    expect(await log.release(first as ClaimedEvent)).toBe(true);
    const [second] = await another().claim('report', claiming);
    expect(second).toMatchObject({ key: 'u1', attempt: 1 });
    expect(await log.release(first as ClaimedEvent)).toBe(false);
    await at(900);
    expect(await log.claim('report', claiming)).toEqual([]);
  });

  it('has consumers that are independent, begin where they want, and can read one receiver only', async () => {
    const { log, at } = await openLog();
    await log.append([event(1), event(2, 101, 'backup')]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(2));
    await at(60_000);
    await log.append([event(3)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(3));
    await log.addConsumer('all', { start: 'start' });
    await log.addConsumer('backups', { start: 'start', receiver: 'backup' });
    await log.addConsumer('recent', { start: { since: start + 1000 } });
    await log.addConsumer('new', { start: 'end' });
    await log.addConsumer('new', { start: 'start' });
    await log.append([event(4)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(4));
    expect(await drain(log, 'all', 4)).toEqual(['u1', 'u2', 'u3', 'u4']);
    expect(await drain(log, 'backups', 1)).toEqual(['u2']);
    expect(await drain(log, 'recent', 2)).toEqual(['u3', 'u4']);
    expect(await drain(log, 'new', 1)).toEqual(['u4']);
    expect(await log.removeConsumer('new')).toBe(true);
    expect(await log.removeConsumer('new')).toBe(false);
    await expect(log.claim('new', claiming)).rejects.toThrow(UnknownConsumerError);
    await expect(log.replay('new', 'start')).rejects.toThrow(UnknownConsumerError);
  });

  it('replays, dead letters included', async () => {
    const { log } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1), event(2)]);
    const [first] = await claimed(log, 'report');
    await log.fail(first as ClaimedEvent, 'x', 'dead');
    expect(await drain(log, 'report', 1)).toEqual(['u2']);
    await log.replay('report', 'start');
    expect(await drain(log, 'report', 2)).toEqual(['u1', 'u2']);
    expect(await log.deadEvents('report')).toEqual([]);
  });

  it('skips to the end, retries included, and lets workers finish what they have claimed', async () => {
    const { log } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1), event(2), event(3, 102), event(4, 102)]);
    const [first, other] = await claimed(log, 'report');
    await log.fail(first as ClaimedEvent, 'x', 60_000);
    await log.replay('report', 'end');
    expect(await log.finish(other as ClaimedEvent)).toBe(true);
    await log.append([event(5)]);
    expect(await drain(log, 'report', 1)).toEqual(['u5']);
    expect((await log.consumers())[0]).toMatchObject({ behind: 0, pending: 0 });
  });

  it('deletes only old events that no consumer needs', async () => {
    const { log, at } = await openLog();
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1), event(2, 102)]);
    await at(1000);
    await log.append([event(3, 103)]);
    await eventually(async () => expect(await log.after(undefined, 10)).toHaveLength(3));
    expect(await log.trim('main', start + 500)).toBe(0);
    const events = await claimed(log, 'report');
    expect(keysOf(events)).toEqual(['u1', 'u2', 'u3']);
    await log.finish(events[0] as ClaimedEvent);
    expect(await log.trim('main', start + 500)).toBe(1);
    for (const one of events.slice(1)) await log.finish(one);
    expect(await log.trim('main', start + 500)).toBe(1);
    expect(keysOf(await log.after(undefined, 10))).toEqual(['u3']);
  });

  it('deletes no events of another receiver, which may retain them for longer', async () => {
    const { log, at } = await openLog();
    await log.append([event(1), event(1, 101, 'archive')]);
    await at(1000);
    expect(await log.trim('main', start + 500)).toBe(1);
    await eventually(async () =>
      expect((await log.after(undefined, 10)).map(({ receiver }) => receiver)).toEqual(['archive']),
    );
  });

  it('gives each event to one of several workers, in order, whatever the interleaving', async () => {
    const { log, another } = await openLog();
    const count = 300;
    const dice = new Dice(7);
    await log.addConsumer('report', { start: 'start' });
    const workers = [log, another(), another()];
    const seen: ClaimedEvent[] = [];
    const append = async (): Promise<void> => {
      for (let n = 1; n <= count; n += 10) {
        await log.append(
          Array.from({ length: 10 }, (_, more) => event(n + more, 100 + Math.floor(dice.next() * 5))),
        );
      }
    };
    const work = async (worker: PostgresEventLog): Promise<void> => {
      await eventually(async () => {
        for (const one of await worker.claim('report', {
          worker: 'w',
          leaseMilliseconds: 60_000,
          limit: 3,
        })) {
          seen.push(one);
          expect(await worker.finish(one)).toBe(true);
        }
        expect(seen).toHaveLength(count);
      });
    };
    await Promise.all([append(), ...workers.map(work)]);
    expect(new Set(keysOf(seen)).size).toBe(count);
    for (const lane of new Set(seen.map((one) => one.lane))) {
      const ids = seen.filter((one) => one.lane === lane).map(({ id }) => id);
      expect(ids).toEqual(ids.toSorted((a, b) => a - b));
    }
  });
});

describe.skipIf(postgresMissing())('an event log in PostgreSQL', () => {
  it('acknowledges durably on a server that does not wait for the disk by default', async () => {
    const { db, url } = await testStore();
    await db.script(`create table seen (setting text);
      create function note() returns trigger language plpgsql as 'begin insert into seen values (current_setting(''synchronous_commit'')); return null; end';
      create trigger note after insert on event for each statement execute function note()`);
    const lazy = connectStore({ url, source: 'the test', env: {} });
    await new PostgresEventLog(lazy).append([event(1)]);
    expect(await db.query('select setting from seen')).toEqual([{ setting: 'on' }]);
    await lazy.close();
  });

  it('continues with an extension after it lost an event to a deletion that began before the consumer', async () => {
    const { db, url } = await testStore();
    const log = new PostgresEventLog(db);
    const other = connectStore({ url, source: 'the test', env: {} });
    onTestFinished(() => other.close());
    await log.append([event(1)]);
    let deletion: Promise<number> = Promise.resolve(0);
    const events = await db.transaction(async (transaction) => {
      // The deletion waits for this lock after it has checked the consumers.
      await transaction.query('select 1 from event for update');
      deletion = new PostgresEventLog(other).trim('main', Date.now() + 60_000);
      // Other tests have stores in the same database.
      const [own] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      const waiting =
        "select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid)) and query like 'delete from event %'";
      await eventually(async () => expect(await db.query(waiting, [own?.pid ?? 0])).toHaveLength(1));
      await log.addConsumer('report', { start: 'start' });
      return claimed(log, 'report');
    });
    expect([keysOf(events), await deletion]).toEqual([['u1'], 1]);
    expect(await log.fail(events[0] as ClaimedEvent, 'exit code 1', 0)).toBe(true);
    await log.append([event(2)]);
    expect(keysOf(await claimed(log, 'report'))).toEqual(['u2']);
    expect((await log.consumers())[0]).toMatchObject({ behind: 0, pending: 1 });
  });

  it('returns the events that it has claimed if it cannot take more from the log', async () => {
    const { db } = await testStore();
    const log = new PostgresEventLog(db);
    await log.addConsumer('report', { start: 'start' });
    await log.append([event(1)]);
    const [first] = await claimed(log, 'report');
    await log.release(first as ClaimedEvent);
    const events = await db.transaction(async (transaction) => {
      await transaction.query('select 1 from event_consumer for update');
      const claim = log.claim('report', claiming);
      claim.catch(() => undefined);
      const [own] = await transaction.query<{ pid: number }>('select pg_backend_pid() as pid');
      // As at the end of the time of a statement.
      const cancel =
        'select pg_cancel_backend(pid) from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      await eventually(async () => expect(await db.query(cancel, [own?.pid ?? 0])).toHaveLength(1));
      return claim;
    });
    expect(keysOf(events)).toEqual(['u1']);
  });

  it('begins a consumer at a time before an event whose transaction has not ended', async () => {
    const { db } = await testStore();
    const log = new PostgresEventLog(db);
    await db.transaction(async (transaction) => {
      await transaction.run(
        "insert into event (receiver, key, lane, origin, encrypted, raw) values ('main', 'u1', '101', 'webhook', false, $1)",
        [event(1).raw],
      );
      await log.append([event(2)]);
      await log.addConsumer('report', { start: { since: Date.now() - 60_000 } });
    });
    expect(await drain(log, 'report', 2)).toEqual(['u1', 'u2']);
  });

  it('rejects the events of a failed commit, and stores them at the next attempt', async () => {
    const { db } = await testStore();
    const log = new PostgresEventLog(db);
    await db.script('alter table event rename to moved');
    await expect(log.append([event(1)])).rejects.toMatchObject({ code: 'store_incomplete' });
    await db.script('alter table moved rename to event');
    expect(await log.append([event(1)])).toEqual(['new']);
  });

  it('misses no event of a transaction that commits late', async () => {
    const { db } = await testStore();
    const log = new PostgresEventLog(db);
    let position: string | undefined;
    const keys: string[] = [];
    const read = async (): Promise<void> => {
      const events = await log.after(position, 100);
      keys.push(...keysOf(events));
      position = events.at(-1)?.position ?? position;
    };
    await db.transaction(async (late) => {
      await late.run(
        "insert into event (receiver, key, lane, origin, encrypted, raw) values ('main', 'late', '', 'webhook', false, '{}')",
      );
      await log.append([event(2)]);
      await read();
    });
    await eventually(async () => {
      await read();
      expect(keys.toSorted()).toEqual(['late', 'u2']);
    });
  });
});
