import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { dispatchCursor, Dispatcher } from '../../../../src/features/live/deliver/dispatcher.ts';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import type { Target } from '../../../../src/features/live/deliver/target.ts';
import { DatabaseError } from '../../../../src/platform/database-error.ts';
import { eventually } from '../../../support/eventually.ts';
import { countPreparedStatements } from '../../../support/prepared-statements.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { dispatcherOf } from './dispatchers.ts';

it('a bug ends the delivery and is not retried like a full disk', async () => {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const event = readNotification(JSON.stringify({ uuid: 'one', event: '/x' }));
  if (event) await inbox.accept(event, 'a', 'webhook');
  const bug = new TypeError('a bug');
  const reported: unknown[] = [];
  const end = new AbortController();
  const dispatcher = new Dispatcher({
    inbox,
    receiver: 'a',
    targets: [{ name: 'one', accepts: () => true, send: () => Promise.resolve() }],
    wanted: () => true,
    keys: () => [],
    now: () => {
      throw bug;
    },
    sleep: () => {
      end.abort();
      return Promise.resolve();
    },
    onDead: () => undefined,
    onProblem: () => undefined,
    onRecovered: () => undefined,
    onWait: () => undefined,
    onStoreFailure: (error) => void reported.push(error),
    onFailure: (error) => void reported.push(error),
  });
  await expect(dispatcher.run(end.signal)).rejects.toBe(bug);
  expect(reported).toEqual([]);
  expect(await dispatcher.close(0, false)).toBe(0);
});

it('a target that does not reply delays no events of other targets, however many extensions have events', async () => {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const extensions = Array.from({ length: 40 }, (_, index) => String(index));
  for (const extensionId of extensions) {
    const event = readNotification(JSON.stringify({ uuid: extensionId, event: '/x', body: { extensionId } }));
    if (event) await inbox.accept(event, 'a', 'webhook');
  }
  const received: string[] = [];
  const end = new AbortController();
  const dispatcher = dispatcherOf(inbox, 'a', [
    {
      name: 'silent',
      accepts: () => true,
      send: (_event, _text, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the run ended')));
        }),
    },
    {
      name: 'healthy',
      accepts: () => true,
      send: ({ uuid }) => Promise.resolve(void received.push(uuid)),
    },
  ]);
  const running = dispatcher.run(end.signal);
  await eventually(() => expect(received.toSorted()).toEqual(extensions.toSorted()));
  end.abort();
  await running;
  expect(await dispatcher.close(0, false)).toBe(extensions.length);
});

/** Opens the inbox as a receiver that has received one event. */
async function openWithEvent(folder: string, receiver: string): Promise<{ inbox: Inbox; close: () => void }> {
  const inbox = Inbox.open(folder, 'work', () => 0);
  const lock = inbox.lockReceiver(receiver);
  const event = readNotification(JSON.stringify({ uuid: `of ${receiver}`, event: '/x' }));
  if (event) await inbox.accept(event, receiver, 'webhook');
  return {
    inbox,
    close: () => {
      lock?.release();
      inbox.close();
    },
  };
}

/** Starts a receiver with one event that its target does not accept, and returns how to end it. */
async function receiverWithPendingEvent(folder: string, receiver: string): Promise<() => Promise<void>> {
  const { inbox, close } = await openWithEvent(folder, receiver);
  const sent: string[] = [];
  const end = new AbortController();
  const dispatcher = dispatcherOf(inbox, receiver, [
    {
      name: 'one',
      accepts: () => true,
      send: ({ uuid }, _text, signal) => {
        sent.push(uuid);
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('the run ended')));
        });
      },
    },
  ]);
  const running = dispatcher.run(end.signal);
  await eventually(() => expect(sent).toEqual([`of ${receiver}`]));
  return async () => {
    end.abort();
    await running;
    expect(await dispatcher.close(0, false)).toBe(1);
    close();
  };
}

/** Runs a receiver until it has delivered its own event, and returns the events that it has delivered. */
async function deliveredBy(folder: string, receiver: string): Promise<readonly string[]> {
  const { inbox, close } = await openWithEvent(folder, receiver);
  const sent: string[] = [];
  const end = new AbortController();
  const dispatcher = dispatcherOf(inbox, receiver, [
    { name: 'one', accepts: () => true, send: ({ uuid }) => Promise.resolve(void sent.push(uuid)) },
  ]);
  const running = dispatcher.run(end.signal);
  await eventually(() => expect(sent).toContain(`of ${receiver}`));
  end.abort();
  await running;
  expect(await dispatcher.close(1000, false)).toBe(0);
  close();
  return sent;
}

it('a receiver delivers pending events of another receiver only after that receiver has ended', async () => {
  const folder = temporaryFolder();
  const end = await receiverWithPendingEvent(folder, 'listen-2');
  expect(await deliveredBy(folder, 'listen')).toEqual(['of listen']);
  await end();
  expect(await deliveredBy(folder, 'listen-3')).toEqual(['of listen-2', 'of listen-3']);
});

it('a receiver leaves pending events of other commands to those commands', async () => {
  const folder = temporaryFolder();
  const end = await receiverWithPendingEvent(folder, 'tail');
  await end();
  expect(await deliveredBy(folder, 'listen')).toEqual(['of listen']);
  expect(await deliveredBy(folder, 'tail')).toEqual(['of tail']);
});

/** Opens an inbox whose receiver has not yet delivered these numbers of events of two extensions. */
async function openWithBacklog(pending: number): Promise<Inbox> {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const uuids = Array.from({ length: pending }, (_, index) => String(index + 1));
  await Promise.all(
    uuids.map(async (uuid) => {
      const event = readNotification(JSON.stringify({ uuid, event: '/x' }));
      if (event) await inbox.accept(event, 'listen', 'webhook');
    }),
  );
  for (const uuid of uuids) inbox.deliveries.add(Number(uuid), 'one', String(Number(uuid) % 2), 0);
  inbox.moveToEnd(dispatchCursor('listen'));
  return inbox;
}

/** Delivers a backlog, and calls `onSend` with the ID of each event. */
async function deliverBacklog(inbox: Inbox, pending: number, onSend: (uuid: string) => void): Promise<void> {
  let sent = 0;
  const end = new AbortController();
  const send: Target['send'] = ({ uuid }) => {
    onSend(uuid);
    sent += 1;
    return Promise.resolve();
  };
  const dispatcher = dispatcherOf(inbox, 'listen', [{ name: 'one', accepts: () => true, send }]);
  const running = dispatcher.run(end.signal);
  await eventually(() => expect(sent).toBe(pending));
  end.abort();
  await running;
  expect(await dispatcher.close(1000, false)).toBe(0);
}

it('a backlog of more than a batch needs the same number of prepared statements, whatever its size', async () => {
  const prepared = countPreparedStatements();
  const numbers: number[] = [];
  for (const pending of [200, 500]) {
    const inbox = await openWithBacklog(pending);
    const before = prepared();
    await deliverBacklog(inbox, pending, () => undefined);
    numbers.push(prepared() - before);
  }
  expect(numbers[1]).toBe(numbers[0]);
});

it('a receiver with a backlog acknowledges notifications while it starts, and delivers in order', async () => {
  const pending = 1000;
  const inbox = await openWithBacklog(pending);
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    immediate = setImmediate(turn);
  };
  let immediate = setImmediate(turn);
  onTestFinished(() => clearImmediate(immediate));
  const sent: number[] = [];
  let turnsBefore = 0;
  await deliverBacklog(inbox, pending, (uuid) => {
    if (sent.length === 0) turnsBefore = turns;
    sent.push(Number(uuid));
  });
  expect(turnsBefore).toBeGreaterThanOrEqual(pending / 200);
  for (const lane of [0, 1]) {
    const ofLane = sent.filter((id) => id % 2 === lane);
    expect(ofLane).toEqual(ofLane.toSorted((one, other) => one - other));
  }
});

it('a receiver whose target does not reply keeps few events in memory, and delivers later events in order', async () => {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  const count = 500;
  const sent: number[] = [];
  const read: number[] = [];
  const pendingInLane = inbox.deliveries.pendingInLane.bind(inbox.deliveries);
  inbox.deliveries.pendingInLane = (...lane) => {
    const batch = pendingInLane(...lane);
    read.push(batch.length);
    return batch;
  };
  let reply: () => void = () => undefined;
  const replied = new Promise<void>((resolve) => {
    reply = resolve;
  });
  const send: Target['send'] = async ({ uuid }) => {
    await replied;
    sent.push(Number(uuid));
  };
  const end = new AbortController();
  const dispatcher = dispatcherOf(inbox, 'listen', [{ name: 'one', accepts: () => true, send }]);
  const running = dispatcher.run(end.signal);
  const uuids = Array.from({ length: count }, (_, index) => index + 1);
  for (const uuid of uuids) {
    const event = readNotification(JSON.stringify({ uuid: String(uuid), event: '/x' }));
    if (event) await inbox.accept(event, 'listen', 'webhook');
  }
  await eventually(() => expect(inbox.deliveries.in('pending')).toHaveLength(count));
  expect([sent, read]).toEqual([[], []]);
  reply();
  await eventually(() => expect(sent).toHaveLength(count));
  expect(sent).toEqual(uuids);
  // The first 50 events were in memory.
  expect(read).toEqual(Array.from({ length: 9 }, () => 50));
  end.abort();
  await running;
  expect(await dispatcher.close(1000, false)).toBe(0);
});

it('events of many extensions may wait at the same time, without a warning of Node', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const extensions = 20;
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  for (let extensionId = 0; extensionId < extensions; extensionId += 1) {
    const uuid = String(extensionId);
    const event = readNotification(JSON.stringify({ uuid, event: '/x', body: { extensionId } }));
    if (event) await inbox.accept(event, 'a', 'webhook');
  }
  let requests = 0;
  let sleeps = 0;
  const target = (name: string, send: Target['send']): Target => ({ name, accepts: () => true, send });
  const save = inbox.deliveries.save.bind(inbox.deliveries);
  inbox.deliveries.save = (delivery) => {
    if (delivery.target === 'unstored') throw new DatabaseError('inbox', 'full', new Error('disk full'));
    save(delivery);
  };
  const end = new AbortController();
  const dispatcher = dispatcherOf(
    inbox,
    'a',
    [
      target('silent', (_event, _text, signal) => {
        requests += 1;
        return delay(60_000, undefined, { signal });
      }),
      target('down', () => Promise.reject(new Error('down'))),
      target('unstored', () => Promise.resolve()),
    ],
    {
      sleep: (_milliseconds, signal) => {
        sleeps += 1;
        return delay(60_000, undefined, { signal });
      },
    },
  );
  const running = dispatcher.run(end.signal);
  await eventually(() => expect({ requests, sleeps }).toEqual({ requests: 16, sleeps: 32 }));
  end.abort();
  await running;
  await dispatcher.close(0, false);
  // Node reports warnings in the order in which they occurred.
  const reported = once(process, 'warning');
  process.emitWarning('the last warning', { type: 'LastWarning' });
  await reported;
  expect(warnings).toEqual(['LastWarning']);
});
