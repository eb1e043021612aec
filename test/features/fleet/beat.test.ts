import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { enroll, FleetWorker, type TaskEnd } from '../../../src/features/fleet/index.ts';
import { connectStore } from '../../../src/store/index.ts';
import { eventually } from '../../support/eventually.ts';
import { fakeSession, fixedSessions } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';

/** Connections of the pool of a process. */
const poolSize = 4;

describe.skipIf(postgresMissing())('a worker of the fleet', () => {
  it('renews its leases while its tasks use all connections of the pool', async () => {
    const { db, url } = await testStore();
    const limited = connectStore({ url: `${url}&connect_timeout=600`, source: 'the test', env: {} });
    onTestFinished(() => limited.close());
    await enroll(db, [{ kind: 'messages', subject: '1', label: '101' }], {
      everySeconds: 3600,
      onDelete: 'keep',
    });
    const leaseEnd = async (): Promise<number> => {
      const [row] = await db.query<{ at: number }>(
        'select (extract(epoch from lease_until) * 1000)::bigint as at from fleet_task',
      );
      return row?.at ?? 0;
    };
    const ends: TaskEnd[] = [];
    const stop = new AbortController();
    const worker: FleetWorker = new FleetWorker({
      db: limited,
      facts: { worker: 'w', machine: 'm', pid: 1, version: '1', concurrency: 4 },
      kinds: ['messages'],
      sessions: fixedSessions([fakeSession('default')], () => undefined),
      leaseMilliseconds: 1000,
      once: true,
      async run(_task, { signal }) {
        let free: () => void = () => undefined;
        const done = new Promise<void>((resolve) => {
          free = resolve;
        });
        let open = 0;
        const holding = Array.from({ length: poolSize }, () =>
          limited.session(async () => {
            open += 1;
            await done;
          }),
        );
        try {
          await eventually(() => expect(open).toBe(poolSize));
          const before = await leaseEnd();
          await eventually(async () =>
            expect(signal.aborted || (await leaseEnd()) > before + 1000).toBe(true),
          );
        } finally {
          free();
          await Promise.all(holding);
        }
        signal.throwIfAborted();
        return {};
      },
      sleep: async (milliseconds, signal) => {
        await pause(milliseconds, undefined, { signal }).catch(() => undefined);
      },
      onEnd(end) {
        ends.push(end);
        stop.abort();
      },
      onStore: () => undefined,
      onService: () => undefined,
    });
    await worker.run(stop.signal);
    expect(ends.map(({ result }) => result)).toEqual(['done']);
  });

  it('reports often enough to count as running, also with a long lease', async () => {
    const { db } = await testStore();
    const sleeps: number[] = [];
    const stop = new AbortController();
    const worker = new FleetWorker({
      db,
      facts: { worker: 'w', machine: 'm', pid: 1, version: '1', concurrency: 1 },
      kinds: ['messages'],
      sessions: fixedSessions([fakeSession('default')], () => undefined),
      leaseMilliseconds: 600_000,
      once: false,
      run: () => Promise.reject(new Error('no task is due')),
      // The waits between claims, and between reports.
      async sleep(milliseconds) {
        sleeps.push(milliseconds);
        if (sleeps.length > 1) stop.abort();
        await new Promise(setImmediate);
      },
      onEnd: () => undefined,
      onStore: () => undefined,
      onService: () => undefined,
    });
    await worker.run(stop.signal);
    expect(sleeps.length).toBeGreaterThan(1);
    expect(Math.max(...sleeps)).toBeLessThan(15_000 / 2);
  });
});
