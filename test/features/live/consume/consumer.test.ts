import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EventConsumer, type ConsumeEnd } from '../../../../src/features/live/index.ts';
import type { ConsumerSettings } from '../../../../src/features/live/consume/consumer.ts';
import { DeliveryError, type Target } from '../../../../src/features/live/deliver/target.ts';
import type { PostgresEventLog } from '../../../../src/features/live/log/postgres-event-log.ts';
import type { ClaimedEvent } from '../../../../src/store/event-log.ts';
import { StoreError } from '../../../../src/platform/store-error.ts';
import { eventually } from '../../../support/eventually.ts';

function eventOf(id: number): ClaimedEvent {
  const uuid = `u${id}`;
  const event = '/restapi/v1.0/account/~/extension/101/presence';
  const raw = JSON.stringify({
    uuid,
    event,
    timestamp: '2026-01-05T09:00:00Z',
    body: { extensionId: '101' },
  });
  const log = { receiver: 'listen', key: uuid, origin: 'webhook', encrypted: false, raw } as const;
  const claim = { consumer: 'crm', attempt: 1, fence: 1 };
  return { ...log, ...claim, id, position: String(id), lane: '101', receivedAt: 0 };
}

/** A consumer of a log with these statements. `target` sends an event. */
function consumerOf(
  log: Partial<PostgresEventLog>,
  target: Target['send'],
  more: Partial<ConsumerSettings> = {},
) {
  return new EventConsumer({
    log: log as PostgresEventLog,
    consumer: 'crm',
    worker: 'w',
    target: { name: 'target', accepts: () => true, send: target },
    concurrency: 4,
    leaseMilliseconds: 60_000,
    maxAttempts: 1,
    once: false,
    isRepeated: () => Promise.resolve(false),
    sleep: () => Promise.resolve(),
    onEnd: () => undefined,
    onStore: () => undefined,
    ...more,
  });
}

it('claims the next event of an extension at once when the previous one ends during a claim', async () => {
  const steps: string[] = [];
  const isDone = (step: string): Promise<void> => eventually(() => expect(steps).toContain(step));
  const stop = new AbortController();
  let claims = 0;
  const log: Partial<PostgresEventLog> = {
    async claim() {
      claims += 1;
      steps.push(`claim ${claims}`);
      if (claims === 1) return [eventOf(1)];
      if (claims === 3) return [eventOf(2)];
      // The statement has seen that the extension has an event in progress.
      if (claims === 2) await isDone('finish 1');
      await nextTurn();
      return [];
    },
    finish({ id }) {
      steps.push(`finish ${id}`);
      if (id === 2) stop.abort();
      return Promise.resolve(true);
    },
  };
  const send: Target['send'] = ({ uuid }) => (uuid === 'u1' ? isDone('claim 2') : Promise.resolve());
  const sleep = (): Promise<void> => Promise.resolve(void steps.push('sleep'));
  await consumerOf(log, send, { sleep }).run(stop.signal);
  expect(steps.slice(0, steps.indexOf('claim 3'))).toEqual(['claim 1', 'claim 2', 'finish 1']);
});

it('says when it is interrupted that results are not stored, and waits between its attempts to store them', async () => {
  const stop = new AbortController();
  const claims = [[eventOf(1), eventOf(2)]];
  let attempts = 0;
  const fails = (): Promise<boolean> => {
    attempts += 1;
    stop.abort();
    return Promise.reject(new Error('no connection'));
  };
  const ends: ConsumeEnd[] = [];
  const log = { claim: () => Promise.resolve(claims.pop() ?? []), finish: fails, fail: fails };
  const send: Target['send'] = ({ uuid }) =>
    uuid === 'u1' ? Promise.resolve() : Promise.reject(new DeliveryError('HTTP 500'));
  const sleep: ConsumerSettings['sleep'] = () =>
    stop.signal.aborted ? Promise.reject(new Error('interrupted')) : Promise.resolve();
  await consumerOf(log, send, { sleep, onEnd: (end) => void ends.push(end) }).run(stop.signal);
  const unstored = { result: 'released', problem: 'the store has not recorded the result' };
  expect(ends).toMatchObject([unstored, unstored]);
  // Without waits, there are thousands within the time to drain.
  expect(attempts).toBeLessThan(100);
});

it('releases the events of a claim that an interruption ended, and does not send them', async () => {
  const stop = new AbortController();
  const released: number[] = [];
  const log: Partial<PostgresEventLog> = {
    claim() {
      stop.abort();
      return Promise.resolve([eventOf(1), eventOf(2)]);
    },
    release({ id }) {
      released.push(id);
      return id === 1 ? Promise.reject(new Error('no connection')) : Promise.resolve(true);
    },
  };
  const sent: unknown[] = [];
  const send: Target['send'] = ({ uuid }) => Promise.resolve(void sent.push(uuid));
  await consumerOf(log, send).run(stop.signal);
  expect({ released, sent }).toEqual({ released: [1, 2], sent: [] });
});

it('stops an event whose lease ends while the store does not reply to the renewal', async () => {
  const stop = new AbortController();
  const claims = [[eventOf(1)]];
  const log: Partial<PostgresEventLog> = {
    claim: () => Promise.resolve(claims.pop() ?? []),
    extend: () => new Promise(() => undefined),
  };
  const ends: ConsumeEnd[] = [];
  const send: Target['send'] = (_event, _text, signal) =>
    new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  const onEnd = (end: ConsumeEnd): void => {
    ends.push(end);
    stop.abort();
  };
  await consumerOf(log, send, { leaseMilliseconds: 100, sleep: () => nextTurn(), onEnd }).run(stop.signal);
  expect(ends).toMatchObject([{ result: 'taken' }]);
});

it('reports that another process took over an event whose target ignores its end', async () => {
  const send: Target['send'] = (_event, _text, signal) => aborted(signal);
  expect(await endOfLostLease(send, { finish: () => Promise.resolve(false) })).toMatchObject([
    { result: 'taken' },
  ]);
});

it('reports that another process took over an event while its failure was stored', async () => {
  let signal = new AbortController().signal;
  const send: Target['send'] = (_event, _text, given) => {
    signal = given;
    return Promise.reject(new DeliveryError('HTTP 500'));
  };
  const fail = () => aborted(signal).then(() => false);
  expect(await endOfLostLease(send, { fail })).toMatchObject([{ result: 'taken', problem: 'HTTP 500' }]);
});

it('retries an event later if the store fails before the delivery, even in the last attempt', async () => {
  const stop = new AbortController();
  const claims = [[messageEvent()]];
  const next: (number | 'dead')[] = [];
  const log: Partial<PostgresEventLog> = {
    claim: () => Promise.resolve(claims.pop() ?? []),
    fail(_event, _problem, when) {
      next.push(when);
      stop.abort();
      return Promise.resolve(true);
    },
  };
  const isRepeated = (): Promise<boolean> => Promise.reject(new StoreError('lost', 'postgres://x'));
  await consumerOf(log, () => Promise.resolve(), { isRepeated, sleep: () => nextTurn() }).run(stop.signal);
  expect(next).toEqual([1000]);
});

/** Processes an event whose lease the store does not extend. @returns its end */
async function endOfLostLease(send: Target['send'], statements: Partial<PostgresEventLog>) {
  const stop = new AbortController();
  const claims = [[eventOf(1)]];
  const log: Partial<PostgresEventLog> = {
    claim: () => Promise.resolve(claims.pop() ?? []),
    extend: () => Promise.reject(new Error('no connection')),
    ...statements,
  };
  const ends: ConsumeEnd[] = [];
  const onEnd = (end: ConsumeEnd): void => {
    ends.push(end);
    stop.abort();
  };
  await consumerOf(log, send, { leaseMilliseconds: 20, sleep: () => nextTurn(), onEnd }).run(stop.signal);
  return ends;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
}

/** An event that announces a new message. */
function messageEvent(): ClaimedEvent {
  const body = { extensionId: '101', changes: [{ type: 'SMS', newCount: 1, newMessageIds: ['7'] }] };
  return { ...eventOf(1), raw: JSON.stringify({ ...JSON.parse(eventOf(1).raw), body }) };
}
