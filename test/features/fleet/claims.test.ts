import { describe, expect, it } from 'vitest';
import { enroll, pauseTasks, retryTasks, type TaskKind } from '../../../src/features/fleet/index.ts';
import {
  claim,
  failTask,
  finishTask,
  guardOf,
  releaseTask,
  renewLeases,
  type Claimed,
  type ClaimedTask,
} from '../../../src/features/fleet/claims.ts';
import { lossText, signInLosses } from '../../../src/features/fleet/sign-in-losses.ts';
import { FencedError } from '../../../src/features/fleet/task-errors.ts';
import { storeBudget } from '../../../src/store/index.ts';
import { clockStore, postgresMissing } from '../../support/postgres.ts';

const start = Date.UTC(2026, 0, 5, 9);
const kinds: readonly TaskKind[] = ['messages'];

/** A store with tasks of these mailboxes, and the clock of the store. */
async function office(...subjects: readonly string[]) {
  const { db, setClock } = await clockStore(start);
  const tasks = subjects.map((subject) => ({ kind: 'messages', subject, label: subject }) as const);
  await enroll(db, tasks, { everySeconds: 3600, onDelete: 'keep' });
  const claimOf = (worker = 'w', prepays = false): Promise<Claimed> =>
    claim(db, {
      kind: 'messages',
      worker,
      session: 'default',
      leaseMilliseconds: 8000,
      budget: { owner: 'o', group: 'light' },
      prepays,
      excludedFor: undefined,
    });
  const tryClaim = async (worker?: string): Promise<ClaimedTask | undefined> => {
    const found = await claimOf(worker);
    return found && 'task' in found ? found.task : undefined;
  };
  const claimed = async (worker?: string): Promise<ClaimedTask> => {
    const task = await tryClaim(worker);
    if (!task) throw new Error('no task is due');
    return task;
  };
  const row = async (subject = '1') => {
    const [found] = await db.query(
      `select state, worker, attempts, problem, extract(epoch from due_at - to_timestamp(${start / 1000}))::int as due from fleet_task where subject = $1`,
      [subject],
    );
    return found;
  };
  const after = (seconds: number): Promise<void> => setClock(start + seconds * 1000);
  return { db, claimOf, tryClaim, claimed, row, after };
}

describe.skipIf(postgresMissing())('a task of the fleet', () => {
  it('is claimed after those that are due for a longer time, and not while it is paused or failed', async () => {
    const { db, tryClaim } = await office('1', '2', '3', '4');
    await db.run(
      "update fleet_task set due_at = due_at - make_interval(secs => subject::int) where subject <> '4'",
    );
    await pauseTasks(db, { kinds, subjects: ['2'] });
    await db.run("update fleet_task set state = 'failed' where subject = '1'");
    const order = [await tryClaim(), await tryClaim(), await tryClaim()];
    expect(order.map((task) => task?.subject)).toEqual(['3', '4', undefined]);
  });

  it('takes a request from the budget only if it always sends one', async () => {
    const { db, claimOf } = await office('1', '2');
    const limit = { limit: 10, remaining: 10, windowMilliseconds: 60_000 };
    await storeBudget(db, 'o', () => Promise.resolve()).assume('light', limit);
    const remaining = async () =>
      (await db.query<{ remaining: number }>('select remaining from budget'))[0]?.remaining;
    expect(await claimOf('w', false)).toMatchObject({ task: { subject: '1' }, taken: undefined });
    expect(await remaining()).toBe(10);
    expect(await claimOf('w', true)).toMatchObject({
      task: { subject: '2' },
      taken: { known: { remaining: 9 } },
    });
    expect(await claimOf('w', true)).toBeUndefined();
    expect(await remaining()).toBe(9);
  });

  it('whose data is being stored is neither claimed nor renewed', async () => {
    const { db, tryClaim, claimed, after } = await office('1', '2');
    const tasks = [await claimed(), await claimed()];
    await after(10);
    await db.transaction(async (transaction) => {
      await transaction.query("select 1 from fleet_task where subject = '1' for update");
      // Its worker still has it.
      expect((await renewLeases(db, tasks, 8000)).size).toBe(2);
      await after(20);
      expect((await tryClaim('other'))?.subject).toBe('2');
      expect(await tryClaim('other')).toBeUndefined();
    });
    expect(await tryClaim('other')).toMatchObject({ subject: '1', fence: 2, attempts: 2 });
  });

  it('that another worker has claimed accepts nothing from the earlier one', async () => {
    const { db, claimed, row, after } = await office('1');
    const earlier = await claimed();
    await db.transaction(guardOf(earlier));
    await after(9);
    const later = await claimed('other');
    const before = await row();
    expect(before).toMatchObject({ worker: 'other', attempts: 2, due: 17 });
    await expect(db.transaction(guardOf(earlier))).rejects.toBeInstanceOf(FencedError);
    expect(await finishTask(db, earlier)).toBe(false);
    await failTask(db, earlier, 'late', 'failed');
    await releaseTask(db, earlier, 'late');
    expect([...(await renewLeases(db, [earlier, later], 8000))]).toEqual([later]);
    expect(await row()).toEqual(before);
  });

  it('that has ended gets no new lease', async () => {
    const { db, claimed, row, after } = await office('1');
    const task = await claimed();
    await after(2);
    expect((await renewLeases(db, [task], 8000)).size).toBe(1);
    expect(await row()).toMatchObject({ worker: 'w', due: 10 });
    expect(await db.query('select lease_until = due_at as same from fleet_task')).toEqual([{ same: true }]);
    await finishTask(db, task);
    await renewLeases(db, [task], 8000);
    expect(await row()).toMatchObject({ worker: null, due: 3602 });
  });

  it('is due after its interval, without problem and attempts, or at once after a change', async () => {
    const { db, claimed, row, after } = await office('1');
    await failTask(db, await claimed(), 'HTTP 503', 5000);
    expect(await row()).toMatchObject({ worker: null, attempts: 1, problem: 'HTTP 503', due: 5 });
    await after(5);
    expect(await finishTask(db, await claimed())).toBe(true);
    expect(await row()).toMatchObject({ worker: null, attempts: 0, problem: null, due: 3605 });
    await after(3605);
    const changed = await claimed();
    await db.run('update fleet_task set change_seq = change_seq + 1');
    await finishTask(db, changed);
    expect(await row()).toMatchObject({ due: 3605 });
    await finishTask(db, await claimed());
    expect(await row()).toMatchObject({ due: 7205 });
  });

  it('that fails finally fails, unless it was paused or retried during the attempt', async () => {
    const { db, claimed, row } = await office('1', '2', '3');
    const tasks = [await claimed(), await claimed(), await claimed()];
    await pauseTasks(db, { kinds, subjects: ['2'] });
    await retryTasks(db, { kinds, subjects: ['3'] });
    for (const task of tasks) await failTask(db, task, 'erased', 'failed');
    expect([await row('1'), await row('2'), await row('3')]).toMatchObject([
      { state: 'failed', problem: 'erased' },
      { state: 'paused', problem: 'erased' },
      { state: 'active', problem: 'erased', due: 0 },
    ]);
  });

  it('that was retried during a failed attempt is due at once', async () => {
    const { db, claimed, row } = await office('1');
    const task = await claimed();
    await retryTasks(db, { kinds, subjects: ['1'] });
    await failTask(db, task, 'HTTP 503', 60_000);
    expect(await row()).toMatchObject({ state: 'active', due: 0 });
  });

  it('has no loss of an earlier sign-in after another sign-in claimed it', async () => {
    const { db, claimed, row } = await office('1');
    await releaseTask(db, await claimed(), lossText('east', 'the service revoked the token'));
    expect(await signInLosses(db)).toMatchObject([
      { profile: 'default', problem: 'the sign-in on east has ended: the service revoked the token' },
    ]);
    await releaseTask(db, await claimed());
    expect(await signInLosses(db)).toEqual([]);
    expect(await row()).toMatchObject({ problem: null });
  });

  it('that is released is due at once, and does not count the attempt', async () => {
    const { db, claimed, row, after } = await office('1');
    await failTask(db, await claimed(), 'HTTP 503', 1000);
    await after(1);
    await releaseTask(db, await claimed());
    expect(await row()).toMatchObject({ worker: null, attempts: 1, problem: 'HTTP 503', due: 1 });
    const retried = await claimed();
    await retryTasks(db, { kinds, subjects: ['1'] });
    await releaseTask(db, retried, 'no permission');
    expect(await row()).toMatchObject({ attempts: 0, problem: 'no permission' });
  });
});
