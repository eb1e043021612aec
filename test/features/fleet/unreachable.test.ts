import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { FleetLimiter } from '../../../src/client/fleet-limiter.ts';
import { enroll, FleetWorker, type TaskEnd } from '../../../src/features/fleet/index.ts';
import { storeBudget } from '../../../src/store/index.ts';
import { fakeSession, fixedSessions } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';
import { SleepingClock } from '../../support/sleeping-clock.ts';

/** A worker of one mailbox, whose earlier attempts have failed, and its clock. */
async function startWorker(service: { replies: boolean }, onSync: (attempt: number) => 'replies' | 'hangs') {
  const { db } = await testStore();
  await enroll(db, [{ kind: 'messages', subject: '1', label: '101' }], {
    everySeconds: 3600,
    onDelete: 'keep',
  });
  await db.run('update fleet_task set attempts = 3');
  const clock = new SleepingClock();
  let runningTasks = 0;
  /** Whether the worker is storing how an attempt ended. */
  let isSettling = false;
  let runningChecks = 0;
  const checks: number[] = [];
  const news: string[] = [];
  const ends: TaskEnd[] = [];
  /** Times of claims, and of the ends of attempts by the worker. */
  const claims: number[] = [];
  const aborts: number[] = [];
  const stop = new AbortController();
  const budget = storeBudget(db, 'owner', () => Promise.resolve());
  const limiter = new FleetLimiter(() => Promise.resolve(budget));
  const session = fakeSession('default', {
    owner: 'owner',
    groupOf: (method, path) => limiter.groupOf(method, path),
    prepay: (group, taken) => limiter.prepay(group, taken),
    async reaches(milliseconds) {
      checks.push(clock.now);
      runningChecks += 1;
      if (!service.replies) await clock.sleep(milliseconds, stop.signal);
      runningChecks -= 1;
      return service.replies;
    },
  });
  const worker = new FleetWorker({
    db,
    facts: { worker: 'w', machine: 'm', pid: 1, version: '0', concurrency: 1 },
    kinds: ['messages'],
    sessions: fixedSessions([session], (problem) => news.push(problem)),
    leaseMilliseconds: 8000,
    once: false,
    monotonic: () => clock.now,
    async sleep(milliseconds, signal) {
      await clock.sleep(milliseconds, signal);
      signal.throwIfAborted();
    },
    async run(_task, { signal }) {
      claims.push(clock.now);
      if (onSync(claims.length) === 'replies') return {};
      runningTasks += 1;
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      runningTasks -= 1;
      aborts.push(clock.now);
      isSettling = true;
      throw signal.reason as Error;
    },
    onEnd(end) {
      ends.push(end);
      isSettling = false;
    },
    onStore: (problem) => news.push(`store: ${problem}`),
    onService: (isReachable) => news.push(isReachable ? 'reachable' : 'unreachable'),
  });
  const running = worker.run(stop.signal);
  // The loops of a worker claim tasks and renew leases. Without a task, the check is part of the first loop.
  const sleepers = (): number =>
    isSettling ? Number.POSITIVE_INFINITY : 2 + (runningTasks > 0 ? runningChecks : 0);
  const ticking = clock.run(sleepers, stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await Promise.all([running, ticking]);
  });
  return {
    db,
    checks,
    claims,
    aborts,
    ends,
    news,
    until: async (isDone: () => boolean) => {
      while (!isDone()) await pause(1);
    },
  };
}

describe.skipIf(postgresMissing())('a worker that cannot reach the service', () => {
  it('releases a task that has failed before in less than 10 s, and claims none until the service replies', async () => {
    const service = { replies: false };
    const run = await startWorker(service, (attempt) => (attempt === 1 ? 'hangs' : 'replies'));
    await run.until(() => run.ends.length === 1);
    expect(run.ends[0]).toMatchObject({
      result: 'released',
      problem: 'the service does not reply to this worker',
    });
    expect(run.aborts).toEqual([6000]);
    const [task] = await run.db.query(
      `select attempts, lease_until = '-infinity' as free, due_at <= store_now() as due from fleet_task`,
    );
    expect(task).toEqual({ attempts: 3, free: true, due: true });
    await run.until(() => run.checks.length >= 4);
    expect(run.claims).toHaveLength(1);
    expect(run.news).toEqual(['unreachable']);
    // Two checks while the task is held. Then the worker rests and waits twice as long after each failure.
    expect(run.checks.slice(0, 4)).toEqual([4000, 6000, 8000, 16_000]);
    service.replies = true;
    await run.until(() => run.ends.length === 2);
    expect(run.ends[1]?.result).toBe('done');
    expect(run.news).toEqual(['unreachable', 'reachable']);
  });

  it('waits longer for the reply of a slow service that replies to other requests', async () => {
    const run = await startWorker({ replies: true }, () => 'hangs');
    await run.until(() => run.ends.length === 1);
    expect(run.ends[0]).toMatchObject({ result: 'retry', problem: 'the service sent no data for 48 s' });
    expect(run.checks.length).toBeGreaterThan(5);
    expect(run.news).toEqual([]);
  });
});
