import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Inbox, readNotification } from '../../../../src/features/live/index.ts';
import { DeliveryError, type Target } from '../../../../src/features/live/deliver/target.ts';
import { eventually } from '../../../support/eventually.ts';
import { temporaryFolder } from '../../../support/temporary.ts';
import { dispatcherOf } from './dispatchers.ts';

/** Opens an inbox whose receiver has one event for each of these extensions. */
async function inboxWith(...extensionIds: readonly string[]): Promise<Inbox> {
  const inbox = Inbox.open(temporaryFolder(), 'work', () => 0);
  onTestFinished(() => inbox.close());
  for (const [index, extensionId] of extensionIds.entries()) {
    const uuid = String(index + 1);
    const event = readNotification(JSON.stringify({ uuid, event: '/x', body: { extensionId } }));
    if (event) await inbox.accept(event, 'listen', 'webhook');
  }
  return inbox;
}

/** Starts a dispatcher with one target. `end` ends it, and returns the number of events that are left. */
function deliver(
  inbox: Inbox,
  send: Target['send'],
  changes: Parameters<typeof dispatcherOf>[3] & { readonly accepts?: Target['accepts'] } = {},
) {
  const { accepts = () => true, ...settings } = changes;
  const calls: string[] = [];
  const called =
    (name: string) =>
    ({ eventId, problem }: { readonly eventId: number; readonly problem: string | null }): void =>
      void calls.push(`${name} ${eventId}: ${problem}`);
  const dispatcher = dispatcherOf(inbox, 'listen', [{ name: 'one', accepts, send }], {
    onDead: called('dead'),
    onProblem: called('problem'),
    onRecovered: called('recovered'),
    onFailure: (error) => void calls.push(`failure: ${String(error)}`),
    ...settings,
  });
  const stop = new AbortController();
  const running = dispatcher.run(stop.signal);
  const stopReading = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  const end = async (retries = false, milliseconds = 5000): Promise<number> => {
    await stopReading();
    return dispatcher.close(milliseconds, retries);
  };
  return { calls, stopReading, end, close: () => dispatcher.close(5000, false) };
}

/** Returns the deliveries of the inbox as `EVENT: STATE`. */
function states(inbox: Inbox): readonly string[] {
  return (['pending', 'done', 'dead'] as const).flatMap((state) =>
    inbox.deliveries.in(state).map(({ eventId }) => `${eventId}: ${state}`),
  );
}

it('delivers the events of more extensions than may be delivered at the same time, without a further event', async () => {
  const extensions = Array.from({ length: 20 }, (_, index) => String(index));
  const inbox = await inboxWith(...extensions);
  const waiting: (() => void)[] = [];
  let sent = 0;
  const { end } = deliver(inbox, async () => {
    await new Promise<void>((resolve) => waiting.push(resolve));
    sent += 1;
  });
  await eventually(() => expect([waiting.length, states(inbox).length]).toEqual([16, 20]));
  for (const reply of waiting.splice(0)) reply();
  await eventually(() => expect(waiting).toHaveLength(4));
  for (const reply of waiting.splice(0)) reply();
  await eventually(() => expect(sent).toBe(20));
  expect(await end()).toBe(0);
});

it('retries after increasing delays, and reports the first failure and the next success', async () => {
  const inbox = await inboxWith('7', '7');
  const waits: number[] = [];
  let attempts = 0;
  const { calls, end } = deliver(
    inbox,
    () => {
      attempts += 1;
      return attempts < 6 ? Promise.reject(new DeliveryError('HTTP 503')) : Promise.resolve();
    },
    { sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)) },
  );
  await eventually(() => expect(states(inbox)).toEqual(['1: done', '2: done']));
  expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000]);
  expect(calls).toEqual(['problem 1: HTTP 503', 'recovered 1: null']);
  expect(await end()).toBe(0);
});

it.each([
  ['after six failures', new DeliveryError('HTTP 503'), 6],
  ['at once after a permanent failure', new DeliveryError('HTTP 410', { isPermanent: true }), 1],
])('makes an event a dead letter %s, and delivers the next', async (_, error, expected) => {
  const inbox = await inboxWith('7', '7');
  let attempts = 0;
  const { calls, end } = deliver(inbox, ({ uuid }) => {
    if (uuid === '2') return Promise.resolve();
    attempts += 1;
    return Promise.reject(error);
  });
  await eventually(() => expect(states(inbox)).toEqual(['2: done', '1: dead']));
  expect(attempts).toBe(expected);
  expect(calls.filter((call) => call.startsWith('dead'))).toEqual([`dead 1: ${error.message}`]);
  expect(await end()).toBe(0);
});

it('waits at most as long as the longest delay if the clock was set back', async () => {
  const inbox = await inboxWith('7');
  const waits: number[] = [];
  let now = 1_000_000;
  let attempts = 0;
  const { end } = deliver(
    inbox,
    () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new DeliveryError('HTTP 503')) : Promise.resolve();
    },
    {
      now: () => now,
      onProblem: () => {
        now = 0;
      },
      sleep: (milliseconds) => Promise.resolve(void waits.push(milliseconds)),
    },
  );
  await eventually(() => expect(states(inbox)).toEqual(['1: done']));
  expect(waits).toEqual([16_000]);
  expect(await end()).toBe(0);
});

it('delivers only wanted events that the target accepts', async () => {
  const inbox = await inboxWith('7', '7', '7');
  const sent: string[] = [];
  const { end } = deliver(inbox, ({ uuid }) => Promise.resolve(void sent.push(uuid)), {
    wanted: ({ uuid }) => uuid !== '1',
    accepts: ({ uuid }) => uuid !== '2',
  });
  await eventually(() => expect(sent).toEqual(['3']));
  expect(states(inbox)).toEqual(['3: done']);
  expect(await end()).toBe(0);
});

it('makes a delivery whose event was deleted a dead letter', async () => {
  const inbox = await inboxWith();
  inbox.deliveries.add(99, 'one', '', 0);
  const { calls, end } = deliver(inbox, () => Promise.resolve());
  await eventually(() => expect(states(inbox)).toEqual(['99: dead']));
  expect(calls).toEqual(['dead 99: the event has been deleted']);
  expect(await end()).toBe(0);
});

it('reports an error that stops the deliveries of an extension', async () => {
  const inbox = await inboxWith('7');
  inbox.byId = () => {
    throw new Error('unreadable');
  };
  const { calls, end } = deliver(inbox, () => Promise.resolve());
  await eventually(() => expect(calls).toEqual(['failure: Error: unreadable']));
  expect(await end()).toBe(1);
});

it('delivers the accepted events at the end of a run', async () => {
  const inbox = await inboxWith('7', '7', '7');
  const sent: string[] = [];
  let reply: () => void = () => undefined;
  const replied = new Promise<void>((resolve) => {
    reply = resolve;
  });
  const { stopReading, close } = deliver(inbox, async ({ uuid }) => {
    await replied;
    sent.push(uuid);
  });
  await eventually(() => expect(states(inbox)).toHaveLength(3));
  await stopReading();
  const left = close();
  reply();
  expect(await left).toBe(0);
  expect(sent).toEqual(['1', '2', '3']);
});

it('does not count an attempt that the end of a run aborts', async () => {
  const inbox = await inboxWith('7');
  let isSent = false;
  const { calls, end } = deliver(inbox, (_event, _text, signal) => {
    isSent = true;
    return delay(60_000, undefined, { signal });
  });
  await eventually(() => expect(isSent).toBe(true));
  expect(await end(false, 0)).toBe(1);
  expect(inbox.deliveries.in('pending')).toMatchObject([{ eventId: 1, attempts: 0, problem: null }]);
  expect(calls).toEqual([]);
});

it.each([
  [false, 1, ['1: pending']],
  [true, 2, ['1: done']],
])(
  'at the end of a run with retries: %s, attempts a failed delivery %i times',
  async (retries, expected, left) => {
    const inbox = await inboxWith('7');
    let attempts = 0;
    let retry: () => void = () => undefined;
    const isDue = new Promise<void>((resolve) => {
      retry = resolve;
    });
    const { calls, end } = deliver(
      inbox,
      () => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(new DeliveryError('HTTP 503')) : Promise.resolve();
      },
      { sleep: (_, signal) => Promise.race([isDue, delay(60_000, undefined, { signal })]) },
    );
    await eventually(() => expect(calls).toEqual(['problem 1: HTTP 503']));
    const ended = end(retries);
    if (retries) retry();
    expect(await ended).toBe(left.filter((state) => state.endsWith('pending')).length);
    expect([attempts, states(inbox)]).toEqual([expected, left]);
  },
);
