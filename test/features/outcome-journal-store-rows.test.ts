import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallDescription, OutcomeKind } from '../../src/features/outcome-journal/describe-call.ts';
import type { Sender } from '../../src/features/outcome-journal/journal.ts';
import type { OutcomeState } from '../../src/features/outcome-journal/outcome.ts';
import { StoreSendJournal } from '../../src/features/outcome-journal/store-journal.ts';
import { connectStore } from '../../src/store/index.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { clockStore, postgresMissing } from '../support/postgres.ts';

const start = Date.UTC(2026, 0, 5, 9);
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const sender: Sender = { profile: 'default', origin: 'https://service.example' };
const call: CallDescription = { kind: 'sms', extension: '~', digest: 'digest', to: '+1********42' };

interface Send {
  readonly state?: OutcomeState;
  readonly key?: string;
  readonly call?: Partial<CallDescription>;
  readonly sender?: Partial<Sender>;
}

/** A journal in a store, whose clock and the clock of this machine are set by `at`. */
async function openJournal() {
  let now = start;
  const { db, setClock } = await clockStore(start);
  const journal = new StoreSendJournal(
    db,
    () => now,
    () => Promise.reject(new Error('the store does not restart')),
  );
  onTestFinished(() => journal.close());
  const at = (time: number): Promise<void> => {
    now = time;
    return setClock(time);
  };
  const add = async ({ state = 'sent', key, ...more }: Send = {}): Promise<number> => {
    const claimed = await journal.claim({
      sender: { ...sender, ...more.sender },
      call: { ...call, ...more.call },
      dedupeKey: key,
      admit: undefined,
    });
    if (!('id' in claimed)) throw new Error('the key is in use');
    if (state !== 'sending') await journal.end(claimed.id, { state });
    return claimed.id;
  };
  const ids = async (): Promise<readonly number[]> => (await journal.list(sender)).map(({ id }) => id);
  return { db, journal, add, at, ids };
}

describe.skipIf(postgresMissing())('requests in the journal of a store', () => {
  it('are deleted after 30 days, but not if their outcome is unknown or became known later', async () => {
    const { journal, add, at, ids } = await openJournal();
    for (const state of ['sent', 'failed', 'not-sent'] as const) await add({ state });
    const unknown = await add({ state: 'unknown' });
    const sending = await add({ state: 'sending' });
    const resolved = await add({ state: 'sending' });
    await at(start + 20 * day);
    await journal.end(resolved, { state: 'sent' });
    await at(start + 28.9 * day);
    const later = await add();
    await at(start + 30 * day);
    const month = await add();
    expect(await ids()).toHaveLength(8);
    await at(start + 32 * day);
    const next = await add();
    expect(await ids()).toEqual([next, month, later, resolved, sending, unknown]);
  });

  it('are counted by recipient, if they were sent or may have been sent since a time', async () => {
    const { journal, add, at } = await openJournal();
    const count = () => journal.countSince(sender, start);
    await add();
    await at(start + minute);
    for (const state of ['failed', 'not-sent'] as const) await add({ state });
    await add({ call: { kind: 'chat-post' } });
    await add({ sender: { profile: 'other' } });
    await add({ sender: { origin: 'https://other.example' } });
    expect(await count()).toBe(0);
    const kinds: readonly OutcomeKind[] = ['sms', 'pager', 'fax', 'ringout'];
    for (const kind of kinds) await add({ call: { kind } });
    for (const state of ['unknown', 'sending'] as const) await add({ state });
    expect(await count()).toBe(6);
    await add({ call: { to: '+1*1, +1*2, +1*3' } });
    expect(await count()).toBe(9);
  });

  it('of the last hour and the number of recipients are passed to the check of the limit', async () => {
    const { journal, at } = await openJournal();
    const counts: (readonly number[])[] = [];
    const admit = (...count: readonly number[]) => void counts.push(count);
    const group = { ...call, to: '+1*1, +1*2, +1*3' };
    for (const [time, one] of [
      [0, group],
      [59 * minute, call],
      [61 * minute, call],
    ] as const) {
      await at(start + time);
      await journal.claim({ sender, call: one, dedupeKey: undefined, admit });
    }
    expect(counts).toEqual([
      [0, 3],
      [3, 1],
      [1, 1],
    ]);
  });

  it('keep their outcome', async () => {
    const { journal, add, at } = await openJournal();
    const states = ['sent', 'failed', 'not-sent', 'unknown'] as const;
    for (const state of states) await add({ state });
    await at(start + hour);
    expect((await journal.list(sender)).map(({ state }) => state)).toEqual(states.toReversed());
  });

  it('are listed for their profile and service', async () => {
    const { journal, add } = await openJournal();
    const own = await add();
    const other = await add({ sender: { profile: 'other' } });
    await add({ sender: { origin: 'https://other.example' } });
    expect(await journal.list(sender)).toMatchObject([{ id: own }]);
    expect(await journal.listAll(sender.origin)).toMatchObject([{ id: other }, { id: own }]);
  });

  it('of a killed process are recorded with their own start', async () => {
    const { journal } = await openJournal();
    await journal.addUnknown({ sender, call, dedupeKey: 'key', startedAt: start - hour });
    expect(await journal.list(sender)).toMatchObject([
      { state: 'unknown', startedAt: start - hour, endedAt: start, dedupeKey: 'key' },
    ]);
  });

  it('are not renewed if they have ended, and never to an earlier time', async () => {
    const { journal, add, at } = await openJournal();
    const ended = await add();
    const sending = await add({ state: 'sending' });
    await at(start + hour);
    expect(await journal.renew(ended)).toBe('sent');
    await at(start - minute);
    expect(await journal.renew(sending)).toBe('sending');
    expect((await journal.list(sender)).map(({ startedAt }) => startedAt)).toEqual([start, start]);
    await at(start + hour);
    expect(await journal.renew(sending)).toBe('sending');
    expect((await journal.list(sender))[0]).toMatchObject({ startedAt: start + hour });
  });

  it('are not resolved by a search while another machine records their outcome', async () => {
    const { db, journal, add } = await openJournal();
    await add({ state: 'unknown' });
    const [seen] = await journal.list(sender);
    if (!seen) throw new Error('the request was not recorded');
    const { search } = await db.transaction(async (other) => {
      const [row] = await other.query<{ pid: number }>(
        "update outcome set state = 'sent' returning pg_backend_pid() as pid",
      );
      const search = journal.resolve(seen, { state: 'not-sent' });
      const blocked = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
      await eventually(async () => expect(await db.query(blocked, [row?.pid ?? 0])).toHaveLength(1));
      return { search };
    });
    expect(await search).toBe(false);
    expect(await journal.list(sender)).toMatchObject([{ state: 'sent' }]);
  });

  it.each([
    ['are recorded once if the reply to the commit is lost', undefined, []],
    ['are recorded again if such a record was resolved in the meantime', 'not-sent', [{ state: 'not-sent' }]],
  ])('%s', async (_, resolved, others) => {
    const { db, url } = await clockStore(start);
    const proxy = await startCutProxy(url, { at: /Q[\s\S]{4}commit\0/, when: 'after' });
    const pool = connectStore({ url: proxy.url, source: 'the test', env: {} });
    onTestFinished(() => pool.close());
    const journal = new StoreSendJournal(
      pool,
      () => start,
      async () => {
        if (resolved !== undefined) await db.run('update outcome set state = $1', [resolved]);
      },
    );
    onTestFinished(() => journal.close());
    const claimed = await journal.claim({ sender, call, dedupeKey: 'key', admit: undefined });
    expect(proxy.cuts()).toBe(1);
    expect(await db.query('select id, state from outcome order by id')).toMatchObject([
      ...others,
      { ...claimed, state: 'sending' },
    ]);
  });

  it('are lost if a process of this machine ended, but not because another machine lacks the process', async () => {
    const { db, journal, add } = await openJournal();
    const [ended, away] = [await add({ state: 'sending' }), await add({ state: 'sending' })];
    // Above the largest process ID.
    await db.run('update outcome set pid = 2147483646');
    await db.run("update outcome set machine = 'another' where id = $1", [away]);
    expect(await journal.list(sender)).toMatchObject([
      { id: away, state: 'sending' },
      { id: ended, state: 'unknown' },
    ]);
  });

  it('stay in the state sending while their process is running, and only these are renewed', async () => {
    const { db, journal, add, at } = await openJournal();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const first = await add({ state: 'sending' });
    vi.advanceTimersByTime(2 * minute);
    await journal.end(await add({ state: 'sending' }), { state: 'unknown' });
    expect(vi.getTimerCount()).toBe(1);
    await db.run("update outcome set machine = 'another'");
    await at(start + 9 * minute);
    vi.advanceTimersByTime(2 * minute);
    const leases = (): Promise<readonly unknown[]> =>
      db.query(
        'select lease_until > store_now() + interval $$5 minutes$$ as renewed from outcome order by id',
      );
    await eventually(async () => expect(await leases()).toEqual([{ renewed: true }, { renewed: false }]));
    await at(start + 15 * minute);
    expect((await journal.list(sender)).at(-1)).toMatchObject({ id: first, state: 'sending' });
    await journal.end(first, { state: 'sent' });
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe.skipIf(postgresMissing())('a key in the journal of a store', () => {
  const use = { origin: sender.origin, dedupeKey: 'key', digest: 'digest' };
  const textKey = `key:${'a'.repeat(24)}`;

  it.each<[string, Send, Partial<typeof use> & { readonly since?: number }, number | undefined]>([
    ['of the last day', { key: 'key' }, {}, day - 1000],
    ['since the start of a run', { key: 'key' }, { since: start - 1 }, 5 * day],
    ['of the last day, before the start of a run', { key: 'key' }, { since: start + hour }, 2 * hour],
    ['of a text of a list with the key', { key: textKey }, {}, 0],
    ['of a single text with the key of a list', { key: 'key' }, { dedupeKey: textKey }, 0],
    ['with an unknown outcome', { key: 'key', state: 'unknown' }, {}, 0],
    ['in progress', { key: 'key', state: 'sending' }, {}, 0],
  ])('is used by a request %s', async (_name, sent, more, later = 0) => {
    const { journal, add, at } = await openJournal();
    const id = await add(sent);
    await at(start + later);
    expect(await journal.withKey({ ...use, ...more })).toMatchObject({ id });
  });

  it.each<[string, Send, Partial<typeof use>, number]>([
    ['a day ago', { key: 'key' }, {}, day],
    ['that failed', { key: 'key', state: 'failed' }, {}, 0],
    ['that was not sent', { key: 'key', state: 'not-sent' }, {}, 0],
    ['of another text of a list with the key', { key: textKey, call: { digest: 'x' } }, {}, 0],
    ['with a key that only begins with the key', { key: 'key2' }, {}, 0],
    ['of another service', { key: 'key', sender: { origin: 'https://other.example' } }, {}, 0],
    ['without content that can be compared', { key: textKey, call: { digest: '' } }, { digest: '' }, 0],
  ])('is not used by a request %s', async (_name, sent, more, later) => {
    const { journal, add, at } = await openJournal();
    await add(sent);
    await at(start + later);
    expect(await journal.withKey({ ...use, ...more })).toBeUndefined();
  });

  it.each<[string, readonly Send[]]>([
    ['with different texts', [{ key: 'key' }, { key: 'key', call: { digest: 'x' } }]],
    ['of a single text and of the same text in a list', [{ key: 'key' }, { key: textKey }]],
  ])('is used once by concurrent requests %s', async (_, sends) => {
    const { db, journal } = await openJournal();
    const { claims } = await db.transaction(async (other) => {
      await other.run('lock table outcome in share mode');
      const [row] = await other.query<{ pid: number }>('select pg_backend_pid() as pid');
      const claims = sends.map(({ key, call: more }) =>
        journal.claim({ sender, call: { ...call, ...more }, dedupeKey: key, admit: undefined }),
      );
      // One claim waits for the table, and the other one for the first claim.
      const waiting = `with first as (select pid from pg_stat_activity where $1 = any(pg_blocking_pids(pid)))
        select from pg_stat_activity where pg_blocking_pids(pid) && (select array_agg(pid) || $1::int from first)`;
      await eventually(async () => expect(await db.query(waiting, [row?.pid ?? 0])).toHaveLength(2));
      return { claims };
    });
    expect((await Promise.all(claims)).filter((claimed) => 'id' in claimed)).toHaveLength(1);
  });

  it('is reported with its newest request', async () => {
    const { journal, add, at } = await openJournal();
    await add({ key: 'key' });
    await at(start + day);
    const newest = await add({ key: 'key', state: 'unknown' });
    expect(await journal.withKey({ ...use, since: start - 1 })).toMatchObject({
      id: newest,
      state: 'unknown',
    });
  });
});
