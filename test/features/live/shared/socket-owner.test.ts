import { setImmediate as nextTurn } from 'node:timers/promises';
import { queryObjects } from 'node:v8';
import { describe, expect, it } from 'vitest';
import type { Client } from '../../../../src/client/index.ts';
import type { Subscription } from '../../../../src/contract/subscription.ts';
import { PostgresEventLog } from '../../../../src/features/live/log/postgres-event-log.ts';
import type { WebSocketReceiver } from '../../../../src/features/live/receive/web-socket/receiver.ts';
import { socketReceiving } from '../../../../src/features/live/shared/socket-owner.ts';
import { storeRecovery } from '../../../../src/features/live/shared/store-recovery.ts';
import type { LifecycleSettings } from '../../../../src/features/live/subscription/session-subscription.ts';
import type { Context } from '../../../../src/runtime/context.ts';
import { postgresMissing, testStore } from '../../../support/postgres.ts';
import { temporaryFolder } from '../../../support/temporary.ts';

const subscription = { id: 's1', eventFilters: [], status: 'Active', deliveryMode: {} };
/** Milliseconds between two entries of the session in the store. */
const storeMilliseconds = 1000;

/** A transport that is connected until it fails. */
function connectedTransport() {
  let settings: LifecycleSettings | undefined;
  const done = (): Promise<void> => Promise.resolve();
  const transport = {
    origin: 'websocket',
    open: done,
    begin: done,
    follow: done,
    close: done,
    deliveryMode: () => ({ transportType: 'WebSocket' }),
    subscriptionFor(given: LifecycleSettings) {
      settings = given;
      return {
        begin: () => Promise.resolve(subscription as unknown as Subscription),
        startRenewal: () => undefined,
        detach: done,
      };
    },
  };
  return {
    transport: transport as unknown as WebSocketReceiver,
    fail: (error: Error) => settings?.onFailure(error),
  };
}

/** Does the duties of an owner until they end. @param sleep waits between two entries of the session. */
async function ownWith(
  transport: WebSocketReceiver,
  sleep: (signal: AbortSignal) => Promise<void>,
  stop: AbortController,
): Promise<void> {
  const { db } = await testStore();
  await db.run("insert into receiver (name, path, owner, fence) values ('main', '/hook', 'p', 1)");
  const ctx = {
    signal: new AbortController().signal,
    now: () => 0,
    env: {},
    paths: { state: temporaryFolder() },
    settings: { baseUrl: {}, profile: { value: 'work' } },
    out: { warn: () => undefined, note: () => undefined },
    sleep: (milliseconds: number, signal: AbortSignal) =>
      milliseconds === storeMilliseconds ? sleep(signal) : nextTurn(),
  };
  const receiving = socketReceiving({
    service: 'https://office.example',
    transport: () => Promise.resolve(transport),
  });
  const intake = { accept: () => Promise.resolve(), reject: () => undefined, keys: () => [] };
  await receiving.open(intake, () => undefined);
  const settings = {
    ctx: ctx as unknown as Context,
    db,
    api: {} as Client,
    receiver: 'main',
    eventFilters: [],
    recovery: storeRecovery(db, new PostgresEventLog(db), 'main', 1),
    wasReady: false,
    signal: stop.signal,
    onReady: () => undefined,
  };
  await receiving.own(settings, 1, { subscriptionId: undefined, replaces: false, recovers: false });
}

describe.skipIf(postgresMissing())('the owner of a WebSocket', () => {
  it('needs the same memory, however long it runs', async () => {
    const stop = new AbortController();
    const promises: number[] = [];
    let turns = 0;
    await ownWith(
      connectedTransport().transport,
      async () => {
        turns += 1;
        if (turns % 1000 === 0) promises.push(queryObjects(Promise, { format: 'count' }));
        if (promises.length === 2) stop.abort();
        await nextTurn();
      },
      stop,
    );
    const [first = 0, second = 0] = promises;
    expect(second - first).toBeLessThan(100);
  });

  it('ends at once when no more events can arrive', async () => {
    const { transport, fail } = connectedTransport();
    const failure = new Error('the service ended the subscription');
    const owning = ownWith(
      transport,
      (signal) => {
        fail(failure);
        return new Promise((_resolve, reject) => {
          const end = (): void => reject(new DOMException('interrupted', 'AbortError'));
          signal.addEventListener('abort', end);
          if (signal.aborted) end();
        });
      },
      new AbortController(),
    );
    await expect(owning).rejects.toBe(failure);
  });
});
