import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { SignInRequiredError } from '../../../src/errors/service.ts';
import { enroll, FleetWorker } from '../../../src/features/fleet/index.ts';
import { StoreError } from '../../../src/platform/store-error.ts';
import { fakeSession, fixedSessions } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';

describe.skipIf(postgresMissing())('a worker whose sign-in is lost', () => {
  it('releases its task, also if the store does not record the loss', async () => {
    const { db } = await testStore();
    await enroll(db, [{ kind: 'messages', subject: '1', label: '101' }], {
      everySeconds: 3600,
      onDelete: 'keep',
    });
    const stop = new AbortController();
    const problems: (string | undefined)[] = [];
    let task: Promise<readonly object[]> | undefined;
    const worker = new FleetWorker({
      db,
      facts: { worker: 'w', machine: 'm', pid: 1, version: '1', concurrency: 1 },
      kinds: ['messages'],
      sessions: {
        ...fixedSessions([fakeSession('default')], () => undefined),
        lose: () => Promise.reject(new StoreError('lost', 'the store', { report: 'cut' })),
      },
      leaseMilliseconds: 60_000,
      once: false,
      run: () => Promise.reject(new SignInRequiredError('rejected', 'ended', undefined, 'sign in')),
      sleep: async (milliseconds, signal) => {
        await pause(milliseconds, undefined, { signal }).catch(() => undefined);
      },
      onEnd() {
        task ??= db.query('select worker, attempts, due_at <= store_now() as due from fleet_task');
        stop.abort();
      },
      onStore: (problem) => problems.push(problem),
      onService: () => undefined,
    });
    await worker.run(stop.signal);
    expect(await task).toEqual([{ worker: null, attempts: 0, due: true }]);
    expect(problems[0]).toContain('the store');
  });
});
