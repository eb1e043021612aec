import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import { ApiError } from '../../../../src/errors/service.ts';
import { PostgresEventLog } from '../../../../src/features/live/log/postgres-event-log.ts';
import { own } from '../../../../src/features/live/shared/owner.ts';
import { storeRecovery } from '../../../../src/features/live/shared/store-recovery.ts';
import type { Context } from '../../../../src/runtime/context.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';

const filter = '/restapi/v1.0/account/~/extension/101/message-store';
const address = 'https://office.example/hook';
/** Milliseconds between a gap and its recovery. */
const recoveryDelay = 2000;

/** A service whose first subscription is lost at the first check. */
function losingService() {
  let created = 0;
  const subscription = (): Subscription => ({
    id: `s${created}`,
    uri: 'https://office.example/s',
    eventFilters: [filter],
    deliveryMode: { transportType: 'WebHook', address },
    expirationTime: '',
    expiresIn: 86_400,
    creationTime: '',
    status: 'Active',
  });
  const lost = new ApiError({
    status: 404,
    errorCode: 'CMN-102',
    message: 'not found',
    request: { method: 'GET', path: '/restapi/v1.0/subscription/s1' },
  });
  const api = {
    subscriptions: {
      list: () => Promise.resolve([]),
      create: () => {
        created += 1;
        return Promise.resolve(subscription());
      },
      get: () => (created === 1 ? Promise.reject(lost) : Promise.resolve(subscription())),
      renew: () => Promise.resolve(subscription()),
    },
    messages: {
      sync: (_query: object, _extensionId: string, { signal }: { readonly signal: AbortSignal }) => {
        if (signal.aborted) return Promise.reject(signal.reason as Error);
        const syncInfo = { syncType: 'FSync', syncToken: 't', syncTime: '2026-01-05T09:00:00.000Z' };
        return Promise.resolve({ records: [], syncInfo });
      },
    },
  };
  return api as unknown as Client;
}

/** A service with one subscription, and the calls that delete it. @param onCreate called before the reply. */
function replyingLate(onCreate: () => Promise<unknown>) {
  const deleted: string[] = [];
  const api = {
    subscriptions: {
      list: () => Promise.resolve([]),
      create: async () => {
        await onCreate();
        return { id: 's1', eventFilters: [filter], status: 'Active', deliveryMode: { address } };
      },
      delete: (id: string) => Promise.resolve(void deleted.push(id)),
    },
  };
  return { api: api as unknown as Client, deleted };
}

describe.skipIf(postgresMissing())('the owner of a shared receiver', () => {
  it('leaves to the next owner the recovery of a gap that it could not end', async () => {
    const { db } = await testStore();
    await db.run("insert into receiver (name, path, owner, fence) values ('main', '/hook', 'p', 1)");
    const state = () =>
      db.query('select subscription_id as id, recovers, problem from receiver where owner is not null');
    const stop = new AbortController();
    let now = 0;
    const ctx = {
      signal: new AbortController().signal,
      now: () => now,
      out: { warn: () => undefined, note: () => undefined },
      async sleep(milliseconds: number) {
        await nextTurn();
        now += milliseconds;
        if (milliseconds === recoveryDelay) stop.abort();
        stop.signal.throwIfAborted();
      },
    };
    await own(
      {
        ctx: ctx as unknown as Context,
        db,
        api: losingService(),
        receiver: 'main',
        eventFilters: [filter],
        recovery: storeRecovery(db, new PostgresEventLog(db), 'main', 1),
        wasReady: true,
        signal: stop.signal,
        onReady: () => undefined,
        request: { eventFilters: [filter], deliveryMode: { transportType: 'WebHook', address } },
      },
      1,
      { subscriptionId: undefined, replaces: false, recovers: false },
    );
    expect(await state()).toEqual([{ id: 's2', recovers: true, problem: null }]);
  });

  it('repeats a recovery that failed, and remains the owner', async () => {
    const { db } = await testStore();
    await db.run(
      "insert into receiver (name, path, owner, fence, recovers) values ('main', '/hook', 'p', 1, true)",
    );
    const stop = new AbortController();
    let syncs = 0;
    const subscription = { id: 's1', eventFilters: [filter], status: 'Active', deliveryMode: { address } };
    const syncInfo = { syncType: 'FSync', syncToken: 't', syncTime: '2026-01-05T09:00:00.000Z' };
    const api = {
      subscriptions: {
        list: () => Promise.resolve([]),
        create: () => Promise.resolve({ ...subscription, expiresIn: 86_400 }),
        get: () => Promise.resolve({ ...subscription, expiresIn: 86_400 }),
      },
      messages: {
        sync: () => {
          syncs += 1;
          return syncs < 3
            ? Promise.reject(new Error('the service is down'))
            : Promise.resolve({ records: [], syncInfo });
        },
      },
    };
    const state = () => db.query('select recovers, problem from receiver');
    const ctx = {
      signal: new AbortController().signal,
      // A clock that advances during a wait of the other loop would look like a machine that slept.
      now: () => 0,
      out: { warn: () => undefined, note: () => undefined },
      async sleep() {
        await nextTurn();
        if (JSON.stringify(await state()) === '[{"recovers":false,"problem":null}]') stop.abort();
        stop.signal.throwIfAborted();
      },
    };
    await own(
      {
        ctx: ctx as unknown as Context,
        db,
        api: api as unknown as Client,
        receiver: 'main',
        eventFilters: [filter],
        recovery: storeRecovery(db, new PostgresEventLog(db), 'main', 1),
        wasReady: true,
        signal: stop.signal,
        onReady: () => undefined,
        request: { eventFilters: [filter], deliveryMode: { transportType: 'WebHook', address } },
      },
      1,
      { subscriptionId: undefined, replaces: false, recovers: true },
    );
    expect([await state(), syncs]).toEqual([[{ recovers: false, problem: null }], 3]);
  });

  it.each([
    ['after the previous run', false],
    ['during the outage', true],
  ])('reports messages that arrived %s', async (when, wasReady) => {
    const { db } = await testStore();
    await db.run("insert into receiver (name, path, owner, fence) values ('main', '/hook', 'p', 1)");
    const recovery = storeRecovery(db, new PostgresEventLog(db), 'main', 1);
    await recovery.savePoint('101', { token: 't', takenAt: 0, known: [] });
    const stop = new AbortController();
    const notes: string[] = [];
    const ctx = {
      signal: stop.signal,
      now: () => 0,
      out: { warn: () => undefined, note: (text: string) => notes.push(text) },
      sleep: () => Promise.reject(new Error('over')),
    };
    const message = { id: 7, type: 'SMS', availability: 'Alive', creationTime: '2026-01-05T09:00:00.000Z' };
    const api = {
      ...losingService(),
      messages: { sync: () => Promise.resolve({ records: [message], syncInfo: { syncToken: 'u' } }) },
    };
    const owning = own(
      {
        ctx: ctx as unknown as Context,
        db,
        api: api as unknown as Client,
        receiver: 'main',
        eventFilters: [filter],
        recovery,
        wasReady,
        signal: stop.signal,
        onReady: () => undefined,
        request: { eventFilters: [filter], deliveryMode: { transportType: 'WebHook', address } },
      },
      1,
      { subscriptionId: undefined, replaces: false, recovers: true },
    );
    await expect(owning).rejects.toThrow('over');
    expect(notes).toEqual([`Recovered 1 message that arrived ${when}.`]);
  });

  it.each([
    ['has found', 's1', []],
    ['does not know', 's2', ['s1']],
  ])('keeps a new subscription only if the next owner %s it', async (_what, recorded, expected) => {
    const { db } = await testStore();
    await db.run("insert into receiver (name, path, owner, fence) values ('main', '/hook', 'p', 1)");
    const { api, deleted } = replyingLate(() =>
      db.run(`update receiver set owner = 'q', fence = 2, subscription_id = $1`, [recorded]),
    );
    const { signal } = new AbortController();
    await own(
      {
        ctx: { signal, out: { warn: () => undefined } } as unknown as Context,
        db,
        api,
        receiver: 'main',
        eventFilters: [filter],
        recovery: storeRecovery(db, new PostgresEventLog(db), 'main', 1),
        wasReady: true,
        signal,
        onReady: () => undefined,
        request: { eventFilters: [filter], deliveryMode: { transportType: 'WebHook', address } },
      },
      1,
      { subscriptionId: undefined, replaces: false, recovers: false },
    );
    expect(deleted).toEqual(expected);
  });
});
