import { describe, expect, it } from 'vitest';
import {
  drainWorkers,
  enroll,
  fleetState,
  retryTasks,
  taskKinds,
} from '../../../src/features/fleet/index.ts';
import {
  claim,
  failTask,
  finishTask,
  repairDueTimes,
  type Claimed,
  type ClaimedTask,
} from '../../../src/features/fleet/claims.ts';
import { reportAlive, reportEnd } from '../../../src/features/fleet/workers.ts';
import { storeBudget } from '../../../src/store/index.ts';
import { clockStore, postgresMissing } from '../../support/postgres.ts';

const start = Date.UTC(2026, 0, 5, 9);
const day = 86_400;

/** A store with one task, the clock of the store, and a worker. */
async function office() {
  const { db, setClock } = await clockStore(start);
  const enrollEvery = (everySeconds: number): Promise<number> =>
    enroll(db, [{ kind: 'messages', subject: '1', label: '101' }], { everySeconds, onDelete: 'keep' });
  const budget = { owner: 'o', group: 'light' };
  const tryClaim = (prepays = false): Promise<Claimed> =>
    claim(db, {
      kind: 'messages',
      worker: 'w',
      session: 'default',
      leaseMilliseconds: 8000,
      budget,
      prepays,
      excludedFor: undefined,
    });
  const claimed = async (): Promise<ClaimedTask> => {
    const found = await tryClaim();
    if (!found || !('task' in found)) throw new Error('no task is due');
    return found.task;
  };
  const task = async () => {
    const [row] = await db.query<{ state: string; due: number }>(
      `select state, extract(epoch from due_at - to_timestamp(${start / 1000}))::int as due from fleet_task`,
    );
    return row;
  };
  return {
    db,
    budget,
    enrollEvery,
    tryClaim,
    claimed,
    task,
    after: (seconds: number) => setClock(start + seconds * 1000),
  };
}

describe.skipIf(postgresMissing())('a task of the fleet', () => {
  it('that is enrolled with a shorter interval is due after this interval', async () => {
    const { db, enrollEvery, claimed, task, after } = await office();
    await enrollEvery(7 * day);
    expect(await finishTask(db, await claimed())).toBe(true);
    expect(await task()).toMatchObject({ due: 7 * day });
    await after(60);
    await enrollEvery(600);
    expect(await task()).toMatchObject({ due: 600 });
    await after(60 + day);
    await enrollEvery(300);
    expect(await task()).toMatchObject({ due: 600 });
  });

  it('that is enrolled with a much shorter interval long after its last run is due now', async () => {
    const { db, enrollEvery, claimed, task, after } = await office();
    await enrollEvery(7 * day);
    await finishTask(db, await claimed());
    await after(day);
    await enrollEvery(600);
    expect(await task()).toMatchObject({ due: day });
  });

  it('keeps its lease and its delay after a failure when it is enrolled again', async () => {
    const { db, enrollEvery, claimed, task } = await office();
    await enrollEvery(600);
    const one = await claimed();
    await enrollEvery(60);
    expect(await task()).toMatchObject({ due: 8 });
    await failTask(db, one, 'HTTP 500', 5000);
    await enrollEvery(60);
    expect(await task()).toMatchObject({ due: 5 });
  });

  it.each([
    ['permanently', 'failed'],
    ['with a long delay', 320_000],
  ] as const)('that the user retries during an attempt is due when the attempt fails %s', async (_, next) => {
    const { db, enrollEvery, claimed, task, after } = await office();
    await enrollEvery(600);
    await failTask(db, await claimed(), 'HTTP 403', 0);
    const second = await claimed();
    expect(await retryTasks(db, { kinds: taskKinds, subjects: undefined })).toBe(1);
    await after(2);
    await failTask(db, second, 'HTTP 403', next);
    expect(await task()).toEqual({ state: 'active', due: 2 });
    await failTask(db, await claimed(), 'HTTP 403', 'failed');
    expect(await task()).toMatchObject({ state: 'failed' });
  });

  it.each([true, false])('waits for a budget only while it is due (prepaid: %s)', async (prepays) => {
    const { db, budget, enrollEvery, tryClaim, claimed, after } = await office();
    await enrollEvery(600);
    await finishTask(db, await claimed());
    await storeBudget(db, budget.owner, () => Promise.resolve()).block(budget.group, 600_000);
    // A worker with --once ends.
    expect(await tryClaim(prepays)).toBeUndefined();
    await after(599);
    expect(await tryClaim(prepays)).toBeUndefined();
    await after(600);
    await storeBudget(db, budget.owner, () => Promise.resolve()).block(budget.group, 600_000);
    expect(await tryClaim(prepays)).toEqual({ waitMilliseconds: 600_000 });
  });

  it.each([
    ['whose worker was killed', false, 7 * day],
    ['that succeeded', true, 60],
  ] as const)('%s is due after the clock of the store was set back', async (_, isDone, every) => {
    const { db, enrollEvery, claimed, tryClaim, after } = await office();
    const count = async (): Promise<object | undefined> => (await fleetState(db)).kinds[0];
    await enrollEvery(every);
    const one = await claimed();
    if (isDone) await finishTask(db, one);
    await after(-3600);
    expect(await count()).toMatchObject({ due: 1, running: 0, oldestDueSeconds: 0 });
    expect(await tryClaim()).toBeUndefined();
    await repairDueTimes(db);
    expect(await count()).toMatchObject({ due: 1, running: 0 });
    expect(await tryClaim()).toHaveProperty('task');
    expect(await count()).toMatchObject({ due: 0, running: 1 });
  });

  it('keeps its interval and its delays after a small change of the clock of the store', async () => {
    const { db, enrollEvery, claimed, task, after } = await office();
    await enrollEvery(600);
    const one = await claimed();
    await after(-60);
    await repairDueTimes(db);
    expect(await task()).toMatchObject({ due: 8 });
    await after(0);
    await failTask(db, one, 'HTTP 500', 600_000);
    await after(-60);
    await repairDueTimes(db);
    expect(await task()).toMatchObject({ due: 600 });
  });
});

describe.skipIf(postgresMissing())(
  'a worker that was killed before the clock of the store was set back',
  () => {
    it('is lost, and another worker removes it', async () => {
      const { db, after } = await office();
      const facts = (worker: string) => ({ worker, machine: 'm', pid: 1, version: '1', concurrency: 1 });
      const states = async () => (await fleetState(db)).workers.map(({ worker, state }) => [worker, state]);
      await reportAlive(db, facts('killed'));
      await after(-10);
      expect(await states()).toEqual([['killed', 'running']]);
      await after(-7200);
      await reportAlive(db, facts('next'));
      expect(await states()).toEqual([
        ['killed', 'lost'],
        ['next', 'running'],
      ]);
      expect(await drainWorkers(db, [])).toMatchObject({ drained: [{ worker: 'next' }], unknown: [] });
      expect(await drainWorkers(db, ['killed'])).toEqual({ drained: [], unknown: ['killed'] });
      await reportEnd(db, 'next');
      expect(await states()).toEqual([]);
    });
  },
);
