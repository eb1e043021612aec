import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EventConsumer } from '../../../../src/features/live/index.ts';
import type { ClaimedEvent, EventLog } from '../../../../src/store/event-log.ts';
import { eventually } from '../../../support/eventually.ts';

function eventOf(id: number): ClaimedEvent {
  const uuid = `u${id}`;
  const event = '/restapi/v1.0/account/~/extension/101/presence';
  const raw = JSON.stringify({ uuid, event, timestamp: '2026-01-05T09:00:00Z', body: { extensionId: '101' } });
  const log = { receiver: 'listen', key: uuid, origin: 'webhook', encrypted: false, raw } as const;
  const claim = { consumer: 'crm', attempt: 1, fence: 1 };
  return { ...log, ...claim, id, position: String(id), lane: '101', receivedAt: 0 };
}

it('claims the next event of an extension at once when the previous one ends during a claim', async () => {
  const steps: string[] = [];
  const isDone = (step: string): Promise<void> => eventually(() => expect(steps).toContain(step));
  const stop = new AbortController();
  let claims = 0;
  const log = {
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
    finish({ id }: ClaimedEvent) {
      steps.push(`finish ${id}`);
      if (id === 2) stop.abort();
      return Promise.resolve(true);
    },
  } as unknown as EventLog;
  const consumer = new EventConsumer({
    log,
    consumer: 'crm',
    worker: 'w',
    target: {
      name: 'target',
      accepts: () => true,
      send: ({ uuid }) => (uuid === 'u1' ? isDone('claim 2') : Promise.resolve()),
    },
    concurrency: 4,
    leaseMilliseconds: 60_000,
    maxAttempts: 1,
    once: false,
    hasAll: () => Promise.resolve(false),
    sleep: () => Promise.resolve(void steps.push('sleep')),
    onEnd: () => undefined,
    onStore: () => undefined,
  });
  await consumer.run(stop.signal);
  expect(steps.slice(0, steps.indexOf('claim 3'))).toEqual(['claim 1', 'claim 2', 'finish 1']);
});
