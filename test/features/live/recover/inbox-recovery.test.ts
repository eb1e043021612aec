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

/** A notification that counts new messages but does not name them, as EVENT-18 permits. */
function unnamedOf(count: number, type: string, lastUpdated: number): Received {
  const body = {
    extensionId: '2',
    lastUpdated: new Date(lastUpdated).toISOString(),
    changes: [{ type, newCount: count }],
  };
  const received = readNotification(JSON.stringify({ uuid: `u${lastUpdated}`, event: filter, body }));
  if (!received) throw new Error('no notification');
  return received;
}

describe('spec:EVENT-18 a notification that does not name its messages', () => {
  const minute = 60_000;
  const at = (id: string, minutes: number, type = 'SMS') => {
    const creationTime = new Date(now + minutes * minute).toISOString();
    return { id, type, creationTime, availability: 'Alive' };
  };

  /** The IDs of the messages that are recovered after these notifications, in two recoveries of one point. */
  async function recoveredOf(notifications: readonly Received[], messages: readonly object[]) {
    const inbox = Inbox.open(temporaryFolder(), 'work', () => now);
    onTestFinished(() => inbox.close());
    const syncInfo = { syncToken: 't', syncTime: new Date(now).toISOString() };
    const sync = ({ syncType }: { readonly syncType: string }) =>
      Promise.resolve({ records: syncType === 'FSync' ? [] : messages, syncInfo });
    const api = { messages: { sync } } as unknown as Client;
    const { signal } = new AbortController();
    const begin = new Recovery([filter], {
      store: inboxRecovery(inbox, receiver),
      api,
      signal,
      now: () => now,
    });
    await begin.begin(true);
    for (const one of notifications) await inbox.accept(one, receiver, 'webhook');
    for (let run = 0; run < 2; run += 1) {
      const store = inboxRecovery(inbox, receiver);
      await new Recovery([filter], { store, api, signal, now: () => now }).messages();
    }
    const keys = inbox.after(receiver, 0).map(({ key }) => key);
    return keys.filter((key) => key.startsWith('recovered:')).map((key) => key.split(':').at(-1));
  }

  it('announces its messages, so that they are not recovered', async () => {
    const events = [unnamedOf(1, 'SMS', now + minute), unnamedOf(2, 'Voicemail', now + 3 * minute)];
    const messages = [at('1', 1), at('2', 2, 'VoiceMail'), at('3', 3, 'VoiceMail')];
    expect(await recoveredOf(events, messages)).toEqual([]);
  });

  it('announces only as many messages of its type as it counts, the newest up to its time', async () => {
    const events = [unnamedOf(1, 'SMS', now + 2 * minute)];
    const messages = [at('1', 1), at('2', 2), at('3', 2, 'Fax'), at('4', 3)];
    expect(await recoveredOf(events, messages)).toEqual(['1', '3', '4']);
  });

  it('does not announce a message that another notification names', async () => {
    const events = [unnamedOf(1, 'SMS', now + 2 * minute), announcementOf('2')];
    expect(await recoveredOf(events, [at('1', 1), at('2', 2), at('3', 3)])).toEqual(['3']);
  });
});
