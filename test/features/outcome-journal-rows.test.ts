import { describe, expect, it, onTestFinished } from 'vitest';
import { OutcomeJournal, type Sender } from '../../src/features/outcome-journal/journal.ts';
import type { CallDescription, OutcomeKind } from '../../src/features/outcome-journal/describe-call.ts';
import type { OutcomeState } from '../../src/features/outcome-journal/outcome.ts';
import { isSameRecord } from '../../src/features/outcome-journal/same-record.ts';
import { openSendJournal, skewOf } from '../../src/features/outcome-journal/index.ts';
import { temporaryFolder, temporaryPaths } from '../support/temporary.ts';

const start = Date.UTC(2026, 0, 5, 9);
const hour = 3_600_000;
const day = 24 * hour;
const sender: Sender = { profile: 'default', origin: 'https://service.example' };
const call: CallDescription = { kind: 'sms', extension: '~', digest: 'digest', to: '+1********42' };

interface Send {
  readonly at?: number;
  readonly ended?: number;
  readonly state?: OutcomeState;
  readonly key?: string;
  readonly call?: Partial<CallDescription>;
  readonly sender?: Partial<Sender>;
  readonly serviceTime?: number;
}

function openJournal() {
  const journal = OutcomeJournal.open(temporaryFolder());
  onTestFinished(() => journal.close());
  const add = ({ at = start, ended = at, state = 'sent', key, serviceTime, ...more }: Send): number => {
    const id = journal.begin({ ...sender, ...more.sender }, { ...call, ...more.call }, key, at);
    if (state !== 'sending')
      journal.end(id, { state, ...(serviceTime !== undefined && { serviceTime }) }, ended);
    return id;
  };
  const ids = (): readonly number[] => journal.list(sender, start).map(({ id }) => id);
  return { journal, add, ids };
}

describe('requests in the journal of this machine', () => {
  it('are deleted after 30 days, but not if their outcome is unknown or became known later', () => {
    const { add, ids } = openJournal();
    for (const state of ['sent', 'failed', 'not-sent'] as const) add({ state });
    const unknown = add({ state: 'unknown' });
    const sending = add({ state: 'sending' });
    const resolved = add({ ended: start + 20 * day });
    const later = add({ at: start + 28.9 * day });
    const month = add({ at: start + 30 * day });
    expect(ids()).toHaveLength(8);
    const next = add({ at: start + 32 * day });
    expect(ids()).toEqual([next, month, later, resolved, sending, unknown]);
  });

  it('are lost two hours after their start, although a process has their process ID', () => {
    const { journal, add } = openJournal();
    add({ state: 'sending' });
    expect(journal.list(sender, start + 2 * hour)).toMatchObject([{ state: 'sending' }]);
    expect(journal.list(sender, start + 2 * hour + 1)).toMatchObject([{ state: 'unknown' }]);
  });

  it('are not deleted if the clock is suddenly ahead by months', () => {
    const { add, ids } = openJournal();
    const first = add({});
    const next = add({ at: start + 400 * day });
    expect(ids()).toEqual([next, first]);
  });

  it('do not get the ID of a deleted request', () => {
    const { add, ids } = openJournal();
    const later = add({ at: start + 35 * day });
    const newest = add({});
    const next = add({ at: start + 40 * day });
    expect(next).toBe(newest + 1);
    expect(ids()).toEqual([next, newest, later]);
  });

  it('are counted by recipient, if they were sent or may have been sent since a time', () => {
    const { journal, add } = openJournal();
    const count = () => journal.countSince(sender, start);
    const at = start + 1;
    for (const state of ['failed', 'not-sent'] as const) add({ at, state });
    add({ at, call: { kind: 'chat-post' } });
    add({ at, sender: { profile: 'other' } });
    add({ at, sender: { origin: 'https://other.example' } });
    add({ at: start });
    expect(count()).toBe(0);
    const kinds: readonly OutcomeKind[] = ['sms', 'pager', 'fax', 'ringout'];
    for (const kind of kinds) add({ at, call: { kind } });
    for (const state of ['unknown', 'sending'] as const) add({ at, state });
    expect(count()).toBe(6);
    add({ at, call: { to: '+1*1, +1*2, +1*3' } });
    expect(count()).toBe(9);
  });

  it('are listed for their profile and service', () => {
    const { journal, add, ids } = openJournal();
    const own = add({});
    const other = add({ sender: { profile: 'other' } });
    add({ sender: { origin: 'https://other.example' } });
    expect(ids()).toEqual([own]);
    expect(journal.listAll(sender.origin, start).map(({ id }) => id)).toEqual([other, own]);
  });

  it('keep the time of the service if the outcome is recorded again without it', () => {
    const { journal, add } = openJournal();
    const id = add({ key: 'key', serviceTime: start + 10 * day });
    journal.end(id, { state: 'sent' }, start);
    const use = { origin: sender.origin, dedupeKey: 'key', digest: '' };
    expect(journal.withKey(use, start + 10 * day)).toMatchObject({ id });
  });

  it('are not renewed if they have ended, and never to an earlier time', () => {
    const { journal, add } = openJournal();
    const ended = add({});
    const sending = add({ state: 'sending' });
    expect(journal.renew(ended, start + hour)).toBe('sent');
    expect(journal.renew(sending, start - hour)).toBe('sending');
    expect(journal.list(sender, start).map(({ startedAt }) => startedAt)).toEqual([start, start]);
  });
});

it('a record has changed if its request has ended, or was renewed', () => {
  const seen = { state: 'unknown', startedAt: start, endedAt: undefined } as const;
  expect(isSameRecord(seen, { ...seen, startedAt: start + 1000 })).toBe(true);
  for (const change of [{ endedAt: start }, { startedAt: start + 5000 }, { state: 'sending' } as const])
    expect(isSameRecord(seen, { ...seen, ...change })).toBe(false);
});

it('the clock of the service is on average half a second ahead of its Date header', () => {
  expect(skewOf(new Date(start).toUTCString(), start - hour)).toBe(hour + 500);
  expect(skewOf('yesterday', start)).toBeUndefined();
});

describe('a key in the journal of this machine', () => {
  const use = { origin: sender.origin, dedupeKey: 'key', digest: 'digest' };
  const textKey = `key:${'a'.repeat(24)}`;

  it.each<[string, Send, Partial<typeof use> & { readonly since?: number }, number | undefined]>([
    ['of the last day', { key: 'key' }, {}, day - 1],
    ['since the start of a run', { key: 'key' }, { since: start - 1 }, 5 * day],
    ['of a text of a list with the key', { key: textKey }, {}, 0],
    ['of a single text with the key of a list', { key: 'key' }, { dedupeKey: textKey }, 0],
    ['by the clock of the service', { key: 'key', serviceTime: start + day }, {}, day + hour],
    ['with an unknown outcome', { key: 'key', state: 'unknown' }, {}, 0],
  ])('is used by a request %s', (_name, sent, more, later = 0) => {
    const { journal, add } = openJournal();
    const id = add(sent);
    expect(journal.withKey({ ...use, ...more }, start + later)).toMatchObject({ id });
  });

  it.each<[string, Send, Partial<typeof use>, number, 'expired' | undefined]>([
    ['a day ago', { key: 'key' }, {}, day, 'expired'],
    [
      'with a time of the service in the future',
      { key: 'key', serviceTime: start + 9 * day },
      {},
      day,
      'expired',
    ],
    ['that failed', { key: 'key', state: 'failed' }, {}, 0, undefined],
    ['that was not sent', { key: 'key', state: 'not-sent' }, {}, 0, undefined],
    ['of another text of a list with the key', { key: textKey, call: { digest: 'x' } }, {}, 0, undefined],
    [
      'of another single text with the key of the list',
      { key: 'key', call: { digest: 'x' } },
      { dedupeKey: textKey },
      0,
      undefined,
    ],
    ['with a key that only begins with the key', { key: 'key2' }, {}, 0, undefined],
    ['of another service', { key: 'key', sender: { origin: 'https://other.example' } }, {}, 0, undefined],
    [
      'without content that can be compared',
      { key: textKey, call: { digest: '' } },
      { digest: '' },
      0,
      undefined,
    ],
  ])('is not used by a request %s', (_name, sent, more, later, result) => {
    const { journal, add } = openJournal();
    add(sent);
    expect(journal.withKey({ ...use, ...more }, start + later)).toBe(result);
  });

  it('is still used by the clock of the service', () => {
    const { journal, add } = openJournal();
    const withTime = add({ key: 'key', serviceTime: start });
    const withoutTime = add({ key: 'other' });
    const late = start + 3 * day;
    const of = (dedupeKey: string, serviceNow: number) =>
      journal.withKey({ ...use, dedupeKey, digest: '' }, late, serviceNow);
    expect(of('key', start + hour)).toMatchObject({ id: withTime });
    expect(of('other', start + hour)).toMatchObject({ id: withoutTime });
    expect(of('key', start + day)).toBe('expired');
    // A sandbox whose clock was set back does not know the request.
    expect(of('key', start - hour)).toBe('expired');
  });

  it('is reported with its newest request', () => {
    const { journal, add } = openJournal();
    add({ key: 'key' });
    const newest = add({ key: 'key', state: 'unknown' });
    expect(journal.withKey(use, start)).toMatchObject({ id: newest, state: 'unknown' });
  });
});

describe('the journal of sends of this machine', () => {
  const openSends = async (readSkew?: () => Promise<number | undefined>) => {
    const sends = await openSendJournal({
      settings: { storeUrl: { value: undefined, origin: 'default', source: 'default' } },
      paths: temporaryPaths(),
      now: () => start,
      sleep: () => Promise.reject(new Error('no store restarts')),
      store: () => Promise.reject(new Error('no store is set')),
      ...(readSkew && { readSkew }),
    });
    onTestFinished(() => sends.close());
    return sends;
  };

  it('records a send of a killed process with its own start', async () => {
    const sends = await openSends();
    await sends.addUnknown({ sender, call, dedupeKey: 'key', startedAt: start - hour });
    expect(await sends.list(sender)).toMatchObject([
      { state: 'unknown', startedAt: start - hour, endedAt: start, dedupeKey: 'key' },
    ]);
  });

  it('compares the clocks once for all keys of a run, and again after a failed comparison', async () => {
    const skews = [undefined, -2 * day];
    let comparisons = 0;
    const sends = await openSends(() => {
      const skew = skews[comparisons++];
      return skew === undefined ? Promise.reject(new Error('no connection')) : Promise.resolve(skew);
    });
    const claim = { sender, call, dedupeKey: 'key', admit: undefined };
    await sends.addUnknown({ ...claim, startedAt: start - 2 * day });
    await expect(sends.claim(claim)).rejects.toThrow('no connection');
    for (let claims = 0; claims < 2; claims += 1)
      expect(await sends.claim(claim)).toMatchObject({ earlier: { state: 'unknown' } });
    const use = { origin: sender.origin, dedupeKey: 'key', digest: '' };
    expect(await sends.withKey(use)).toMatchObject({ state: 'unknown' });
    expect(comparisons).toBe(2);
  });

  it('passes the sends of the last hour and the number of recipients to the check of the limit', async () => {
    const sends = await openSends();
    const counts: (readonly number[])[] = [];
    const admit = (...count: readonly number[]) => void counts.push(count);
    for (const ago of [59, 61])
      await sends.addUnknown({ sender, call, dedupeKey: undefined, startedAt: start - ago * 60_000 });
    const group = { ...call, to: '+1*1, +1*2, +1*3' };
    await sends.claim({ sender, call: group, dedupeKey: undefined, admit });
    await sends.claim({ sender, call, dedupeKey: 'key', admit });
    expect(counts).toEqual([
      [1, 3],
      [4, 1],
    ]);
  });
});
