import { describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { Inbox, readNotification, type Received } from '../../../../src/features/live/index.ts';
import { inboxRecovery } from '../../../../src/features/live/recover/inbox-recovery.ts';
import { Recovery, type RecoveryStore } from '../../../../src/features/live/recover/recovery.ts';
import { ApiError } from '../../../../src/errors/service.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const filter = '/restapi/v1.0/account/1/extension/2/message-store';
const now = Date.UTC(2026, 0, 5, 9);
const receiver = 'a';

/** The notification of the service about new messages. */
function announcementOf(...ids: readonly string[]): Received {
  const changes = [{ type: 'SMS', newCount: ids.length, updatedCount: 0, newMessageIds: ids }];
  const body = { extensionId: '2', changes };
  const received = readNotification(JSON.stringify({ uuid: `n${ids.join('+')}`, event: filter, body }));
  if (!received) throw new Error('no notification');
  return received;
}

/** A service with these messages, of which the first sync reports none. The published form omits `availability`. */
function serviceWith(ids: readonly string[], members: object = { type: 'SMS' }): Client {
  const creationTime = new Date(now).toISOString();
  const records = ids.map((id) => ({
    id,
    ...members,
    ...(id !== '2' && { availability: 'Alive' }),
    creationTime,
  }));
  const sync = ({ syncType }: { readonly syncType: string }) =>
    Promise.resolve({
      records: syncType === 'FSync' ? [] : records,
      syncInfo: { syncToken: 't', syncTime: creationTime },
    });
  return { messages: { sync } } as unknown as Client;
}

/** An inbox whose messages are recovered. Before the first of them is stored, `meanwhile` is called. */
async function recovering(ids: readonly string[], meanwhile: (inbox: Inbox) => void) {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => now);
  onTestFinished(() => inbox.close());
  const stored = inboxRecovery(inbox, receiver);
  let isFirst = true;
  const store: RecoveryStore = {
    ...stored,
    add(received, origin) {
      if (isFirst) meanwhile(inbox);
      isFirst = false;
      return stored.add(received, origin);
    },
  };
  const { signal } = new AbortController();
  const recovery = new Recovery([filter], { store, api: serviceWith(ids), signal, now: () => now });
  await recovery.begin(true);
  const found = await recovery.messages();
  return { found, keys: inbox.after(receiver, 0).map(({ key }) => key) };
}

it('spec:CLIENT-28 a message whose notification arrives during the recovery is stored once', async () => {
  const { found, keys } = await recovering(['1', '2', '3'], (inbox) => {
    void inbox.accept(announcementOf('1'), receiver, 'webhook');
    void inbox.accept(announcementOf('3'), receiver, 'webhook');
  });
  expect(keys).toEqual(['n1', 'n3', 'recovered:2:2']);
  expect(found).toBe(1);
});

it('a message that a notification of another receiver or a change announces is recovered', async () => {
  const changed = readNotification(
    JSON.stringify({ uuid: 'c', event: filter, body: { extensionId: '2', changes: [{ updatedCount: 1 }] } }),
  );
  const { found, keys } = await recovering(['1', '2'], (inbox) => {
    void inbox.accept(announcementOf('1'), 'b', 'webhook');
    if (changed) void inbox.accept(changed, receiver, 'webhook');
  });
  expect(keys).toEqual(['c', 'recovered:2:1', 'recovered:2:2']);
  expect(found).toBe(2);
});

it.each([
  ['of type Text', { type: 'Text', direction: 'Inbound' }, 'SMS'],
  ['without type and direction', {}, undefined],
])('a message %s is recovered for a filter of texts', async (_, members, type) => {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => now);
  onTestFinished(() => inbox.close());
  const store = inboxRecovery(inbox, receiver);
  const { signal } = new AbortController();
  const api = serviceWith(['1'], members);
  const filters = [`${filter}?type=SMS&direction=Inbound`];
  const recovery = new Recovery(filters, { store, api, signal, now: () => now });
  await recovery.begin(true);
  expect(await recovery.messages()).toBe(1);
  const change = { ...(type && { type }), newMessageIds: ['1'] };
  const [event] = inbox.after(receiver, 0);
  expect(event?.notification()).toMatchObject({ body: { changes: [change] } });
});

const invalidToken = (status: number, errorCode: string): ApiError =>
  new ApiError({
    status,
    errorCode,
    message: 'Full synchronization is required',
    request: { method: 'GET', path: '/message-sync' },
  });

/** A service that rejects sync tokens, and returns at most the 5 newest messages of a range. There is one every 10 s. */
function serviceWithoutTokens(count: number, rejection: ApiError) {
  const time = (index: number): string => new Date(now + index * 10_000).toISOString();
  const all = Array.from({ length: count }, (_, index) => ({
    id: String(index),
    type: 'SMS',
    creationTime: time(index),
  }));
  const asked: string[] = [];
  const sync = async ({ syncType, dateFrom = '', dateTo = '9' }: Readonly<Record<string, string>>) => {
    if (syncType === 'ISync') throw rejection;
    asked.push(dateTo);
    const inRange = all.filter(({ creationTime: at }) => at >= dateFrom && at <= dateTo).toReversed();
    const syncInfo = {
      syncToken: `token-${asked.length}`,
      syncTime: time(count),
      olderRecordsExist: inRange.length > 5,
    };
    return { records: inRange.slice(0, 5), syncInfo };
  };
  return { api: { messages: { sync } } as unknown as Client, asked };
}

it.each([
  [400, 'MSG-333'],
  [404, 'CMN-102'],
  [410, 'MSG-999'],
])(
  'spec:SYNC-15 recovers all messages since an invalid token (%s %s), although a full sync returns only the newest',
  async (status, code) => {
    const inbox = Inbox.open(temporaryFolder(), 'work', () => now);
    onTestFinished(() => inbox.close());
    const store = inboxRecovery(inbox, receiver);
    await store.savePoint('2', { token: 'expired', takenAt: now + 30_000, known: ['0', '1', '2'] });
    const { signal } = new AbortController();
    const { api, asked } = serviceWithoutTokens(16, invalidToken(status, code));
    const recovery = new Recovery([filter], { store, api, signal, now: () => now });
    expect(await recovery.messages()).toBe(13);
    const ids = Array.from({ length: 13 }, (_, index) => `recovered:2:${index + 3}`);
    expect(inbox.after(receiver, 0).map(({ key }) => key)).toEqual(ids);
    expect(asked).toHaveLength(3);
    expect(inbox.syncPoints.of(receiver, '2')).toMatchObject({ token: 'token-1' });
  },
);

describe('spec:EVENT-18 a notification that does not name its messages announces none of them', () => {
  const ofType = `${filter}?type=SMS`;
  const iso = (seconds: number): string => new Date(now + seconds * 1000).toISOString();
  const message = (id: string, seconds: number) => ({
    id,
    type: 'SMS',
    availability: 'Alive',
    creationTime: iso(seconds),
  });

  /** A notification of one new message. Its ID is optional. */
  function eventOf(uuid: string, event: string, seconds: number, id?: string): Received {
    const changes = [{ type: 'SMS', newCount: 1, ...(id !== undefined && { newMessageIds: [id] }) }];
    const body = { extensionId: '2', lastUpdated: iso(seconds), changes };
    const received = readNotification(JSON.stringify({ uuid, event, body }));
    if (!received) throw new Error('no notification');
    return received;
  }

  /** Recovers the messages of each reply after these notifications. Returns the IDs of the recovered messages. */
  async function recoveredOf(notifications: readonly Received[], ...replies: readonly (readonly object[])[]) {
    const inbox = Inbox.open(temporaryFolder(), 'work', () => now);
    onTestFinished(() => inbox.close());
    const left = [[], ...replies];
    const sync = () =>
      Promise.resolve({ records: left.shift() ?? [], syncInfo: { syncToken: 't', syncTime: iso(0) } });
    const api = { messages: { sync } } as unknown as Client;
    const { signal } = new AbortController();
    const recovery = () => {
      const store = inboxRecovery(inbox, receiver);
      return new Recovery([filter, ofType], { store, api, signal, now: () => now });
    };
    await recovery().begin(true);
    for (const one of notifications) await inbox.accept(one, receiver, 'webhook');
    while (left.length > 0) await recovery().messages();
    const keys = inbox.after(receiver, 0).map(({ key }) => key);
    return keys.filter((key) => key.startsWith('recovered:')).map((key) => key.split(':').at(-1));
  }

  it('so that its message is recovered, but only once', async () => {
    const reply = [message('1', 9)];
    expect(await recoveredOf([eventOf('a', filter, 9)], reply, reply)).toEqual(['1']);
  });

  it.each([
    ['the other filter does not name it either', [eventOf('a', filter, 9), eventOf('b', ofType, 9)]],
    ['a new subscription sends the event again', [eventOf('a', filter, 9), eventOf('b', filter, 9)]],
  ])('so that a missed message is recovered if %s', async (_case, notifications) => {
    expect(await recoveredOf(notifications, [message('missed', 5), message('1', 9)])).toEqual([
      'missed',
      '1',
    ]);
  });

  it('so that a missed message is recovered if the other filter names the message', async () => {
    const notifications = [eventOf('a', filter, 9, '1'), eventOf('b', ofType, 9)];
    expect(await recoveredOf(notifications, [message('missed', 5), message('1', 9)])).toEqual(['missed']);
  });

  it('so that a missed message is recovered by a later sync', async () => {
    const replies = [[message('1', 9)], [message('missed', 8)]];
    expect(await recoveredOf([eventOf('a', filter, 9)], ...replies)).toEqual(['1', 'missed']);
  });

  it('so that a missed message is recovered if the message of the event was deleted', async () => {
    const reply = [message('missed', 5), { id: '1', availability: 'Deleted' }];
    expect(await recoveredOf([eventOf('a', filter, 9)], reply)).toEqual(['missed']);
  });
});
