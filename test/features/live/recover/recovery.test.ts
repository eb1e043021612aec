import { expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import { ApiError } from '../../../../src/errors/service.ts';
import { Recovery, type RecoveryStore } from '../../../../src/features/live/recover/recovery.ts';
import type { SyncPoint } from '../../../../src/features/live/store/sync-points.ts';

const mailbox = '/restapi/v1.0/account/1/extension/2/message-store';
const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString();

function message(id: number, second: number, more: object = {}) {
  return {
    id,
    type: 'SMS',
    direction: 'Inbound',
    availability: 'Alive',
    creationTime: at(second),
    lastModifiedTime: at(second),
    ...more,
  };
}

function reply(token: string, second: number, ...records: readonly object[]) {
  return { records, syncInfo: { syncToken: token, syncTime: at(second) } };
}

function rejection(errorCode: string, status = 400): ApiError {
  const request = { method: 'GET', path: '/restapi/v1.0/account/~/extension/2/message-sync' } as const;
  return new ApiError({ status, errorCode, message: 'rejected', request });
}

/** A recovery of one mailbox. The service gives these replies, and notifications have announced message 9. */
function recoveryOf(filters: readonly string[], ...replies: readonly (object | Error)[]) {
  const asked: unknown[] = [];
  const added: string[] = [];
  const points = new Map<string, SyncPoint>();
  const sync = (query: object): Promise<unknown> => {
    const next = replies[asked.length];
    asked.push(query);
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const announced = { extensionId: '2', changes: [{ type: 'SMS', newMessageIds: ['9'] }] };
  const store: RecoveryStore = {
    point: (extensionId) => points.get(extensionId),
    savePoint: (extensionId, point) => void points.set(extensionId, { ...point, position: 0 }),
    since: () => [{ uuid: 'n', event: mailbox, timestamp: at(0), body: announced }],
    add: ({ key }) => {
      added.push(key);
      return Promise.resolve('new');
    },
  };
  const { signal } = new AbortController();
  const api = { messages: { sync } } as unknown as Client;
  return { asked, added, recovery: new Recovery(filters, { store, api, signal, now: () => 0 }) };
}

it('recovers new messages that were not announced, oldest first, and continues after them', async () => {
  const { asked, added, recovery } = recoveryOf(
    [`${mailbox}?type=SMS`],
    reply('one', 20, message(1, 19)),
    reply(
      'two',
      40,
      message(6, 30),
      message(5, 25),
      message(9, 24),
      message(4, 15),
      message(1, 19, { readStatus: 'Read' }),
      message(2, 10),
      message(7, 26, { availability: 'Deleted' }),
      message(3, 21, { type: 'Fax' }),
      { id: 8, availability: 'Purged' },
    ),
    reply('three', 50),
  );
  await recovery.begin(true);
  expect(await recovery.messages()).toBe(3);
  expect(added).toEqual(['recovered:2:4', 'recovered:2:5', 'recovered:2:6']);
  expect(await recovery.messages()).toBe(0);
  expect(asked).toEqual([
    { syncType: 'FSync', dateFrom: '2000-01-01T00:00:00Z', recordCount: 50 },
    { syncType: 'ISync', syncToken: 'one' },
    { syncType: 'ISync', syncToken: 'two' },
  ]);
});

it('spec:SYNC-15 reads the messages since the last sync if its token is no longer valid', async () => {
  const { asked, added, recovery } = recoveryOf(
    [mailbox],
    reply('one', 20),
    rejection('MSG-333'),
    reply('two', 40, message(5, 25)),
  );
  await recovery.begin(true);
  expect(await recovery.messages()).toBe(1);
  expect(added).toEqual(['recovered:2:5']);
  expect(asked.at(-1)).toEqual({ syncType: 'FSync', dateFrom: at(14) });
});

it('continues at the same point after a failure', async () => {
  const { asked, recovery } = recoveryOf(
    [mailbox],
    reply('one', 20),
    rejection('CMN-408', 403),
    reply('two', 40),
  );
  await recovery.begin(true);
  await expect(recovery.messages()).rejects.toThrow('rejected');
  await recovery.messages();
  expect(asked.slice(1)).toEqual([
    { syncType: 'ISync', syncToken: 'one' },
    { syncType: 'ISync', syncToken: 'one' },
  ]);
});

it('creates only missing points, unless all are replaced', async () => {
  const { asked, recovery } = recoveryOf([mailbox], reply('one', 20), reply('two', 30));
  expect(await recovery.hasPoints()).toBe(false);
  await recovery.begin(false);
  expect(await recovery.hasPoints()).toBe(true);
  await recovery.begin(false);
  expect(asked).toHaveLength(1);
  await recovery.begin(true);
  expect(asked).toHaveLength(2);
});

it('reports the progress of the first syncs', async () => {
  const { recovery } = recoveryOf([mailbox, mailbox.replace('/2/', '/3/')], reply('one', 1), reply('two', 2));
  const progress: string[] = [];
  await recovery.begin(true, (done, total) => progress.push(`${done} of ${total}`));
  expect(progress).toEqual(['0 of 2', '1 of 2']);
});
