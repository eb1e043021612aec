import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Wait } from '../../../src/client/index.ts';
import { ApiError, ConnectionError } from '../../../src/errors/service.ts';
import { enroll, FleetWorker, type TaskEnd, type TaskWork } from '../../../src/features/fleet/index.ts';
import { fakeSession, fixedSessions } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { SleepingClock } from '../../support/sleeping-clock.ts';

const request = { method: 'GET', path: '/restapi/v1.0/account/~/extension/1/message-sync' };

const waits = {
  'a rate limit': { reason: 'rate-limit', milliseconds: 60_000, request },
  'a service that asks to retry later': {
    reason: 'retry',
    milliseconds: 60_000,
    request,
    error: new ApiError({
      status: 503,
      errorCode: 'HTTP-503',
      message: 'busy',
      retryAfterSeconds: 60,
      request,
    }),
  },
  'a retry after a lost connection': {
    reason: 'retry',
    milliseconds: 60_000,
    request,
    error: new ConnectionError('ECONNRESET', 'unknown', 'https://service.example', undefined),
  },
} as const satisfies Record<string, Wait>;

/** An attempt of a task. @param sleep waits for the clock of the test. */
type Work = (work: TaskWork, sleep: (milliseconds: number) => Promise<void>) => Promise<void>;

/** Runs the first attempt of one task for each mailbox, with one sign-in. @returns how each attempt ended, in order. */
async function endsOf(work: Readonly<Record<string, Work>>) {
  const { db } = await testStore();
  const tasks = Object.keys(work).map((subject) => ({ kind: 'messages', subject, label: subject }) as const);
  await enroll(db, tasks, { everySeconds: 3600, onDelete: 'keep' });
  await db.run(
    `insert into budget (owner, grp, lim, window_ms, remaining) values ('owner of default', 'light', null, 60000, -1)`,
  );
  const clock = new SleepingClock();
  const ends: (Pick<TaskEnd, 'result' | 'problem'> & { readonly label: string; readonly at: number })[] = [];
  const stop = new AbortController();
  let waiting = 0;
  let settling = 0;
  let sleeping = 0;
  const worker = new FleetWorker({
    db,
    facts: { worker: 'w', machine: 'm', pid: 1, version: '0', concurrency: tasks.length },
    kinds: ['messages'],
    sessions: fixedSessions([fakeSession('default')], () => undefined),
    leaseMilliseconds: 8000,
    once: false,
    monotonic: () => clock.now,
    async sleep(milliseconds, signal) {
      await clock.sleep(milliseconds, signal);
      signal.throwIfAborted();
    },
    async run({ label, attempts }, own) {
      if (attempts > 1) return {};
      waiting += 1;
      try {
        await work[label]?.(own, async (milliseconds) => {
          sleeping += 1;
          await clock.sleep(milliseconds, own.signal);
          sleeping -= 1;
        });
      } finally {
        waiting -= 1;
        settling += 1;
      }
      own.signal.throwIfAborted();
      return {};
    },
    onEnd({ task: { label, attempts }, result, problem }) {
      if (attempts > 1) return;
      settling -= 1;
      ends.push({ label, result, problem, at: clock.now });
    },
    onStore: () => undefined,
    onService: () => undefined,
  });
  const running = worker.run(stop.signal);
  const sleepers = (): number =>
    settling > 0 || waiting + ends.length < tasks.length ? Infinity : 2 + sleeping;
  const ticking = clock.run(sleepers, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await Promise.all([running, ticking]);
  });
  while (ends.length < tasks.length) await pause(1);
  return ends;
}

/** Waits without a limit for the reply of the service. */
async function hang({ signal }: TaskWork): Promise<void> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve));
}

/** Waits before a request, whose reply then arrives. */
function waitFor(wait: Wait): Work {
  return async ({ onWait }, sleep) => {
    onWait(wait);
    await sleep(wait.milliseconds);
  };
}

const stalled = { result: 'retry', problem: 'the service sent no data for 6 s' };

describe.skipIf(postgresMissing())('an attempt without data', () => {
  it('ends while another task of the sign-in waits for a rate limit', async () => {
    const ends = await endsOf({ silent: hang, limited: waitFor(waits['a rate limit']) });
    expect(ends).toMatchObject([
      { label: 'silent', ...stalled },
      { label: 'limited', result: 'done' },
    ]);
    expect(ends[0]?.at).toBeLessThan(10_000);
  });

  it.each(['a rate limit', 'a service that asks to retry later'] as const)('waits for %s', async (name) => {
    const [end] = await endsOf({ waiting: waitFor(waits[name]) });
    expect(end).toMatchObject({ result: 'done' });
  });

  it('waits for the longest wait, also if data of another request arrives', async () => {
    const wait = waitFor(waits['a rate limit']);
    const [end] = await endsOf({
      waiting: async (work, sleep) => {
        const waited = wait(work, sleep);
        work.progress();
        await waited;
      },
    });
    expect(end).toMatchObject({ result: 'done' });
  });

  it('does not wait for a retry after a lost connection', async () => {
    const [end] = await endsOf({ lost: waitFor(waits['a retry after a lost connection']) });
    expect(end).toMatchObject(stalled);
  });
});
