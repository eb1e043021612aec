import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NewerStoreError } from '../../../../src/errors/newer-store.ts';
import { EventConsumer, type ConsumeEnd } from '../../../../src/features/live/index.ts';
import type { ConsumerSettings } from '../../../../src/features/live/consume/consumer.ts';
import { DeliveryError, type Target } from '../../../../src/features/live/deliver/target.ts';
import type { PostgresEventLog } from '../../../../src/features/live/log/postgres-event-log.ts';
import { StoreError } from '../../../../src/platform/store-error.ts';
import type { ClaimedEvent } from '../../../../src/store/event-log.ts';

function eventOf(id: number, attempt = 1): ClaimedEvent {
  const key = `u${id}`;
  const raw = JSON.stringify({ uuid: key, event: '/restapi/v1.0/account/~/presence', body: {} });
  const log = { receiver: 'listen', key, origin: 'webhook', encrypted: false, raw } as const;
  return { ...log, consumer: 'crm', attempt, fence: 1, id, position: key, lane: key, receivedAt: 0 };
}

const sends: Target['send'] = () => Promise.resolve();
const failsWith =
  (problem: Error): Target['send'] =>
  () =>
    Promise.reject(problem);

/** Settings of a consumer, with parts of its log and target. */
interface Parts extends Partial<Omit<ConsumerSettings, 'log' | 'target'>> {
  readonly statements?: Partial<PostgresEventLog>;
  readonly send?: Target['send'];
  readonly accepts?: boolean;
}

/**
 * A consumer of a log whose statements are noted in `steps`. With `once`, no event is due after the claims.
 */
function consumerOf(claims: readonly (readonly ClaimedEvent[])[], parts: Parts = {}) {
  const { statements, send = sends, accepts = true, ...more } = parts;
  const left = [...claims];
  const steps: string[] = [];
  const ends: ConsumeEnd[] = [];
  const problems: (string | undefined)[] = [];
  const stores = (step: string): Promise<boolean> => {
    steps.push(step);
    return Promise.resolve(true);
  };
  const log: Partial<PostgresEventLog> = {
    claim: () => Promise.resolve(left.shift() ?? []),
    finish: ({ id }) => stores(`finish ${id}`),
    release: ({ id }) => stores(`release ${id}`),
    fail: ({ id }, problem, next) => stores(`fail ${id}: ${problem}, ${next}`),
    extend: () => Promise.resolve(true),
    consumers: () => Promise.resolve([]),
    ...statements,
  };
  const consumer = new EventConsumer({
    log: log as PostgresEventLog,
    consumer: 'crm',
    worker: 'w',
    target: {
      name: 'target',
      accepts: () => accepts,
      send: (event, ...rest) => {
        steps.push(`send ${event.uuid}`);
        return send(event, ...rest);
      },
    },
    concurrency: 4,
    leaseMilliseconds: 60_000,
    maxAttempts: 6,
    once: true,
    isRepeated: () => Promise.resolve(false),
    sleep: () => nextTurn(),
    onEnd: (end) => void ends.push(end),
    onStore: (problem) => void problems.push(problem),
    ...more,
  });
  return { consumer, steps, ends, problems };
}

const permanent = new DeliveryError('too large', { isPermanent: true });
const terminated = new DeliveryError('SIGTERM', { isTerminated: true });
const newer = new NewerStoreError('postgres://x', 99, 18);
const down = new DeliveryError('HTTP 503');

describe('the end of an attempt to process an event', () => {
  it.each<[string, string, readonly string[], ClaimedEvent, Parts]>([
    ['is done after its delivery', 'done', ['send u1', 'finish 1'], eventOf(1), {}],
    ['is skipped if the target does not want it', 'skipped', ['finish 1'], eventOf(1), { accepts: false }],
    [
      'is skipped if an earlier event has its messages',
      'skipped',
      ['finish 1'],
      eventOf(1),
      { isRepeated: () => Promise.resolve(true) },
    ],
    [
      'is retried after 1 s',
      'retry',
      ['send u1', 'fail 1: HTTP 503, 1000'],
      eventOf(1),
      { send: failsWith(down) },
    ],
    [
      'is retried after twice the time of the previous failure',
      'retry',
      ['send u1', 'fail 1: HTTP 503, 4000'],
      eventOf(1, 3),
      { send: failsWith(down) },
    ],
    [
      'is retried after 10 min at the latest',
      'retry',
      ['send u1', 'fail 1: HTTP 503, 600000'],
      eventOf(1, 15),
      { send: failsWith(down), maxAttempts: 100 },
    ],
    [
      'is dead after the last attempt',
      'dead',
      ['send u1', 'fail 1: HTTP 503, dead'],
      eventOf(1, 6),
      { send: failsWith(down) },
    ],
    [
      'is dead if no attempt can succeed',
      'dead',
      ['send u1', 'fail 1: too large, dead'],
      eventOf(1),
      { send: failsWith(permanent) },
    ],
    [
      'is retried if a signal ended the program, but not this process',
      'retry',
      ['send u1', 'fail 1: SIGTERM, 1000'],
      eventOf(1),
      { send: failsWith(terminated) },
    ],
    [
      'is done if the program fails after it has called event_done',
      'done',
      ['send u1'],
      eventOf(1),
      { send: failsWith(down), statements: { fail: () => Promise.resolve(false) } },
    ],
  ])('%s', async (_, result, expected, event, parts) => {
    const { consumer, steps, ends } = consumerOf([[event]], parts);
    await consumer.run(new AbortController().signal);
    expect(ends).toMatchObject([{ result }]);
    expect(steps).toEqual(expected);
  });

  it.each<[string, Error, string, string]>([
    ['is released if the signal also ended the program', terminated, 'released', 'release 1'],
    ['is retried if the program failed', down, 'retry', 'fail 1: HTTP 503, 1000'],
  ])('%s, when this process is interrupted', async (_, error, result, last) => {
    const stop = new AbortController();
    const send: Target['send'] = () => {
      stop.abort();
      return Promise.reject(error);
    };
    const { consumer, steps, ends } = consumerOf([[eventOf(1)]], { send, once: false });
    await consumer.run(stop.signal);
    expect(ends).toMatchObject([{ result }]);
    expect(steps).toEqual(['send u1', last]);
  });
});

describe('a consumer', () => {
  it('ends with --once when no event waits for an older transaction', async () => {
    const behind = [2, 1, 0];
    const consumers = (): Promise<never> => {
      const status = [
        { name: 'other', behind: 0 },
        { name: 'crm', behind: behind.shift() },
      ];
      return Promise.resolve(status as never);
    };
    const { consumer } = consumerOf([], { statements: { consumers } });
    await consumer.run(new AbortController().signal);
    expect(behind).toEqual([]);
  });

  it('claims only as many events as it can process, and waits for those in progress before it ends', async () => {
    const limits: number[] = [];
    const claims = [[eventOf(1), eventOf(2)], [], [eventOf(3)]];
    const release: (() => void)[] = [];
    let waits = 0;
    const { consumer, steps } = consumerOf([], {
      concurrency: 2,
      statements: {
        claim: (_name, { limit }) => {
          limits.push(limit);
          return Promise.resolve(claims.shift() ?? []);
        },
      },
      send: () => new Promise((resolve) => release.push(resolve)),
      sleep: async () => {
        waits += 1;
        // After the first wait, both events are still in progress.
        if (waits > 1) release.shift()?.();
        await nextTurn();
      },
    });
    await consumer.run(new AbortController().signal);
    expect(limits.slice(0, 2)).toEqual([2, 1]);
    expect(Math.min(...limits)).toBeGreaterThan(0);
    expect(steps.filter((step) => step.startsWith('finish'))).toHaveLength(3);
  });

  it('waits for the events in progress when it is interrupted', async () => {
    const stop = new AbortController();
    const send: Target['send'] = async () => {
      stop.abort();
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    };
    const { consumer, steps } = consumerOf([[eventOf(1)]], { send, once: false });
    await consumer.run(stop.signal);
    expect(steps).toEqual(['send u1', 'finish 1']);
  });

  it('reports a store that fails after its first claim once, retries later, and reports that it works', async () => {
    const lost = new StoreError('lost', 'postgres://x');
    const answers = [[], lost, lost, []] as const;
    let claims = 0;
    const waits: number[] = [];
    const stop = new AbortController();
    const { consumer, problems } = consumerOf([], {
      once: false,
      statements: {
        claim: () => {
          const answer = answers[claims];
          claims += 1;
          if (answer === undefined) stop.abort();
          return answer instanceof Error ? Promise.reject(answer) : Promise.resolve([]);
        },
      },
      sleep: (milliseconds) => {
        waits.push(milliseconds);
        return Promise.reject(new Error('woken'));
      },
    });
    await consumer.run(stop.signal);
    expect(problems).toEqual([lost.message, undefined]);
    expect(waits).toEqual([500, 1000, 1000, 500]);
  });

  it('ends if its first claim fails', async () => {
    const claim = () => Promise.reject(new StoreError('lost', 'postgres://x'));
    const { consumer } = consumerOf([], { statements: { claim } });
    await expect(consumer.run(new AbortController().signal)).rejects.toBeInstanceOf(StoreError);
  });

  it('claims nothing from a store that a newer version has migrated', async () => {
    const requireSchema = () => Promise.reject(newer);
    const { consumer, steps } = consumerOf([[eventOf(1)]], { requireSchema });
    await expect(consumer.run(new AbortController().signal)).rejects.toBeInstanceOf(NewerStoreError);
    expect(steps).toEqual([]);
  });

  it('ends when a newer version has migrated the store', async () => {
    const claims = [() => Promise.resolve([]), () => Promise.reject(newer)];
    const claim = () => (claims.shift() ?? (() => Promise.resolve([])))();
    const { consumer, problems } = consumerOf([], { once: false, statements: { claim } });
    await expect(consumer.run(new AbortController().signal)).rejects.toBe(newer);
    expect(problems).toEqual([]);
  });
});
