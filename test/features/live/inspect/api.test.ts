import { writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventNames, Inbox, readNotification } from '../../../../src/features/live/index.ts';
import { eventsOfInbox, InspectApi } from '../../../../src/features/live/inspect/index.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const noText = { text: '', kind: '' };
const call = { direction: 'Inbound', from: '+16505550199', to: '201', telephonyStatus: 'Ringing' };
const ringing = { telephonyStatus: 'Ringing', activeCalls: [call] };
const idle = { telephonyStatus: 'NoCall', presenceStatus: 'Available', dndStatus: 'TakeAllCalls' };

/** The Live view of an inbox, and a function that stores the presence of a person. */
function liveView() {
  const names = new EventNames();
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const api = new InspectApi({
    // No test waits for an event.
    events: eventsOfInbox(inbox, () => Promise.reject(new Error('nothing to poll'))),
    keys: () => [],
    http: () => Promise.reject(new Error('this test has no network')),
    names: () => names,
  });
  let sent = 0;
  const add = async (person: number, body: object): Promise<number> => {
    sent += 1;
    const event = `/restapi/v1.0/account/1/extension/${person}/presence`;
    const text = JSON.stringify({ uuid: `event-${sent}`, event, body });
    const received = readNotification(text);
    if (!received) throw new Error('no notification');
    await inbox.accept(received, 'listen', 'webhook');
    return inbox.last();
  };
  const addOthers = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, index) => add(1000 + index, idle)));
  const poll = async (after: number) => {
    const { lines } = await api.poll(after, noText, new AbortController().signal);
    return lines.map(({ description }) => description);
  };
  const texts = (text: string) => api.newest({ text, kind: '' }).lines.map(({ description }) => description);
  return { api, inbox, names, add, addOthers, poll, texts };
}

describe('the Live view', () => {
  it('compares a new presence with the last one of the person after a search through all events', async () => {
    const { add, addOthers, poll, texts } = liveView();
    await add(7, ringing);
    await addOthers(250);
    const last = await add(7, idle);
    expect(texts('zzz')).toEqual([]);
    await add(7, idle);
    expect(await poll(last)).toEqual(['Extension 7 is available']);
  });

  it('compares a presence with one that an earlier request did not show', async () => {
    const { api, add, addOthers, poll, texts } = liveView();
    const first = await add(7, ringing);
    await addOthers(250);
    const ended = await add(7, idle);
    await add(7, ringing);
    const missed = 'Extension 7 missed a call from +1 650 555 0199';
    // The pages that are requested first must not change the later ones.
    expect(texts('')).toHaveLength(100);
    expect(api.detail(first)?.description).toMatch(/is ringing/);
    expect(api.detail(ended)?.description).toBe(missed);
    expect(texts('missed')).toEqual([missed]);
    expect(await poll(ended - 1)).toEqual([missed, expect.stringMatching(/is ringing/)]);
    expect(await poll(ended - 1)).toEqual([missed, expect.stringMatching(/is ringing/)]);
  });

  it('uses the names that are known at the time of a request', async () => {
    const { names, add, texts } = liveView();
    await add(7, ringing);
    expect(texts('')).toEqual([expect.stringMatching(/^Extension 7 is ringing/)]);
    names.add([{ id: 7, name: 'Dana Okafor', extensionNumber: '102' }]);
    expect(texts('')).toEqual([expect.stringMatching(/^Dana Okafor \(102\) is ringing/)]);
  });

  it('shows the newest matching events first, and no more than a page', async () => {
    const { api, addOthers, add } = liveView();
    await addOthers(230);
    const last = await add(7, idle);
    const page = api.newest({ text: 'available', kind: 'presence' });
    expect(page.last).toBe(last);
    expect(page.lines.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, index) => last - index));
  });

  it('isolates right-to-left names, and shows characters that reorder text', async () => {
    const { names, add, texts } = liveView();
    names.add([{ id: 7, name: 'שלום', extensionNumber: '102' }]);
    names.add([{ id: 8, name: '\u202eMallory', extensionNumber: '103' }]);
    await add(7, ringing);
    await add(8, ringing);
    expect(texts('')).toEqual([
      expect.stringContaining('<U+202E>Mallory (103) is ringing'),
      expect.stringContaining('\u2068שלום\u2069 (102) is ringing'),
    ]);
    expect(texts('שלום (102)')).toHaveLength(1);
  });

  it('states which receivers run, even after the process of one was killed', async () => {
    const { api, inbox, add } = liveView();
    expect(api.receiving()).toEqual({ since: undefined, lastAt: undefined, isCopying: false });
    const first = inbox.lockReceiver('listen');
    const { since } = inbox.holderOf('listen') ?? {};
    const second = inbox.lockReceiver('tail-2');
    await add(7, idle);
    expect(api.receiving()).toEqual({ since, lastAt: '1970-01-01T00:00:00.000Z', isCopying: false });
    const copying = inbox.lockReceiver('sync');
    expect(api.receiving().isCopying).toBe(true);
    copying?.release();
    first?.release();
    expect(api.receiving().since).toBe(inbox.holderOf('tail-2')?.since);
    second?.release();
    // A killed process leaves the file that names it.
    const holder = { pid: 1, since: '2026-01-05T09:00:00Z' };
    writeFileSync(`${inbox.file.replace(/\.db$/, '')}.tail.lock.holder`, JSON.stringify(holder));
    expect(inbox.holderOf('tail')).toEqual(holder);
    expect(api.receiving().since).toBeUndefined();
  });
});
