import { describe, expect, it } from 'vitest';
import { claim, type ClaimedTask, finishTask } from '../../../src/features/fleet/claims.ts';
import { addSession, enroll, type TaskKind } from '../../../src/features/fleet/index.ts';
import {
  forgetRejectionsOf,
  rejectionOwnerOfToken,
  Rejections,
  rejectionsOfSessions,
  resumeTasks,
} from '../../../src/features/fleet/rejections.ts';
import { reportUnopened } from '../../../src/features/fleet/sessions.ts';
import { reportAlive } from '../../../src/features/fleet/workers.ts';
import { type Migration, migrateStore, migrations } from '../../../src/store/index.ts';
import { fakeSession } from '../../support/fleet-sessions.ts';
import { postgresMissing, testStore } from '../../support/postgres.ts';

/** A task, and a worker `weak` that executes it with a sign-in that the service rejects. */
async function office(steps?: readonly Migration[]) {
  const { db } = await testStore(steps);
  await enroll(db, [{ kind: 'messages', subject: '1', label: '101' }], {
    everySeconds: 3600,
    onDelete: 'keep',
  });
  const rejections = new Rejections(db);
  const claimWith = async (owner: string): Promise<ClaimedTask> => {
    await db.run('delete from budget');
    const claimed = await claim(db, {
      kind: 'messages',
      worker: owner,
      session: owner,
      leaseMilliseconds: 60_000,
      budget: { owner, group: 'light' },
      prepays: true,
      excludedFor: owner,
    });
    if (!claimed || !('task' in claimed)) throw new Error('claimed no task');
    return claimed.task;
  };
  return {
    db,
    claimWith,
    /** Reports a running worker with one sign-in. */
    start: async (owner: string, kinds: readonly TaskKind[] = ['messages']): Promise<void> => {
      await reportAlive(db, { worker: owner, machine: 'm', pid: 1, version: '1', concurrency: 1 });
      await new Rejections(db).refresh(owner, kinds, [owner]);
    },
    reject: async (): Promise<unknown> => {
      await rejections.refresh('weak', ['messages'], ['weak']);
      return rejections.reject(await claimWith('weak'), 'weak', 'not allowed', ['weak']);
    },
    /** Returns the state of the task after a worker with some sign-ins looked at it. */
    stateFor: async (owners: readonly string[] = ['weak']): Promise<unknown> => {
      await new Rejections(db).refresh('weak', ['messages'], owners);
      const [task] = await db.query<{ state: string }>('select state from fleet_task');
      return task?.state;
    },
  };
}

describe.skipIf(postgresMissing())('a task that the service rejected with the sign-in of a worker', () => {
  it.each(['lost', 'draining'])(
    'does not fail while another worker may try it, until it is %s',
    async (end) => {
      const { db, start, reject, stateFor } = await office();
      await start('strong');
      expect(await reject()).toBe('released');
      expect(await stateFor()).toBe('active');
      await db.run(
        end === 'lost'
          ? `update fleet_worker set seen_at = seen_at - interval '1 minute'`
          : `update fleet_worker set state = 'draining'`,
      );
      expect(await stateFor()).toBe('failed');
    },
  );

  it('fails if the other worker executes only tasks of other kinds', async () => {
    const { start, reject } = await office();
    await start('strong', ['calls', 'media']);
    expect(await reject()).toBe('failed');
  });

  it('fails if the other worker has lost its sign-in', async () => {
    const { db, start, reject, stateFor } = await office();
    await start('strong');
    expect(await reject()).toBe('released');
    await new Rejections(db).refresh('strong', ['messages'], []);
    expect(await stateFor([])).toBe('active');
    expect(await stateFor()).toBe('failed');
  });

  it('fails with the newest reason only when it is due', async () => {
    const { db, start, reject, claimWith, stateFor } = await office();
    await start('strong');
    await reject();
    expect(await finishTask(db, await claimWith('strong'))).toBe(true);
    await db.run('delete from fleet_worker');
    expect(await stateFor()).toBe('active');
    await db.run(
      `insert into fleet_rejection (task_id, owner, problem, at) select task_id, 'earlier', 'old', store_now() - interval '1 day' from fleet_task`,
    );
    await db.run(`update fleet_task set due_at = '-infinity'`);
    expect(await stateFor()).toBe('failed');
    expect(await db.query('select problem from fleet_task')).toEqual([{ problem: 'not allowed' }]);
  });

  it('keeps only its newest rejection of more than 7 days ago, so that another sign-in may try it', async () => {
    const { db, reject, stateFor } = await office();
    const owners = () => db.query('select owner from fleet_rejection order by owner');
    expect(await reject()).toBe('failed');
    await db.run(
      `insert into fleet_rejection (task_id, owner, problem, at)
         select task_id, owner, 'old', store_now() - make_interval(days => days) from fleet_task, (values ('a', 8), ('b', 30)) as old (owner, days)`,
    );
    expect(await stateFor()).toBe('failed');
    expect(await owners()).toEqual([{ owner: 'weak' }]);
    await db.run(`update fleet_rejection set at = at - interval '8 days'`);
    expect(await stateFor([])).toBe('failed');
    expect(await owners()).toEqual([{ owner: 'weak' }]);
    expect(await stateFor(['strong'])).toBe('active');
  });

  it('is taken over from a worker whose lease has ended, so that its late reply changes nothing', async () => {
    const { db, start, reject, claimWith, stateFor } = await office();
    await start('strong');
    await reject();
    const late = await claimWith('strong');
    expect(await stateFor()).toBe('active');
    await db.run(`update fleet_task set due_at = '-infinity', lease_until = '-infinity'`);
    await db.run(`update fleet_worker set seen_at = seen_at - interval '1 minute'`);
    expect(await stateFor()).toBe('failed');
    expect(await finishTask(db, late)).toBe(false);
    await start('strong');
    expect(await stateFor()).toBe('active');
  });

  it('does not fail because one machine cannot open a session that a running worker uses', async () => {
    const { db, start, reject, stateFor } = await office();
    const problems = () => db.query('select problem from fleet_session');
    await addSession(db, fakeSession('strong', { owner: 'strong' }));
    await start('strong');
    await reject();
    await reportUnopened(db, 'strong', 'no key');
    expect(await problems()).toEqual([{ problem: null }]);
    expect(await stateFor()).toBe('active');
    await db.run('delete from fleet_worker');
    await reportUnopened(db, 'strong', 'no key');
    expect(await problems()).toEqual([{ problem: 'a worker cannot open the session: no key' }]);
    expect(await stateFor()).toBe('failed');
  });

  it('is released for an added sign-in only, in a store without the sign-ins of workers', async () => {
    const { db, start, reject, stateFor } = await office(migrations.filter(({ number }) => number < 17));
    expect(await db.query(`select to_regclass('fleet_worker_owner')::text as found`)).toEqual([
      { found: null },
    ]);
    await start('strong');
    await addSession(db, fakeSession('added', { owner: 'added' }));
    expect(await reject()).toBe('released');
    expect(await stateFor()).toBe('active');
    await reportUnopened(db, 'added', 'no key');
    expect(await stateFor()).toBe('failed');
    await migrateStore(db);
    await start('strong');
    expect(await stateFor(['strong'])).toBe('active');
    expect(await db.query('select worker, owner from fleet_worker_owner')).toMatchObject([
      { owner: 'strong' },
    ]);
  });
});

describe.skipIf(postgresMissing())('a rejection', () => {
  const rows = 'select owner, problem from fleet_rejection order by owner';

  it.each([
    [6, 'failed'],
    [8, 'active'],
  ])('of %i days ago leaves the task %s for the same sign-in', async (days, state) => {
    const { db, reject, stateFor } = await office();
    await reject();
    await db.run(`update fleet_rejection set at = at - make_interval(days => ${days})`);
    expect(await stateFor(['weak'])).toBe(state);
    // The next attempt shows the result of the sign-in.
    expect(await db.query(rows)).toHaveLength(state === 'failed' ? 1 : 0);
  });

  it('of an attempt that another worker took over is not stored', async () => {
    const { db, claimWith } = await office();
    const late = await claimWith('weak');
    await db.run(`update fleet_task set due_at = '-infinity', lease_until = '-infinity'`);
    const now = await claimWith('strong');
    await new Rejections(db).reject(late, 'weak', 'not allowed', ['weak']);
    expect(await db.query(rows)).toEqual([]);
    expect(await finishTask(db, now)).toBe(true);
  });

  it('of a task that the user retried meanwhile does not exclude its sign-in', async () => {
    const { db, claimWith, stateFor } = await office();
    const claimed = await claimWith('weak');
    await db.run('update fleet_task set attempts = 0');
    await new Rejections(db).reject(claimed, 'weak', 'not allowed', ['weak', 'strong']);
    expect(await db.query(rows)).toEqual([]);
    expect(await stateFor()).toBe('active');
  });

  it('replaces an earlier one of the same sign-in', async () => {
    const { db, claimWith } = await office();
    const claimed = await claimWith('weak');
    await db.run(`insert into fleet_rejection (task_id, owner, problem, at)
      select task_id, 'weak', 'old', store_now() - interval '2 days' from fleet_task`);
    await new Rejections(db).reject(claimed, 'weak', 'not allowed', ['weak']);
    expect(
      await db.query(`select problem, at > store_now() - interval '1 day' as new from fleet_rejection`),
    ).toEqual([{ problem: 'not allowed', new: true }]);
  });

  it('makes its task due again at once, unless the task failed for another reason', async () => {
    const { db, reject, stateFor } = await office();
    await reject();
    await db.run(`update fleet_task set problem = 'legal hold', due_at = store_now() + interval '1 day'`);
    expect(await stateFor(['strong'])).toBe('failed');
    await db.run(`update fleet_task set problem = 'not allowed'`);
    expect(await stateFor(['strong'])).toBe('active');
    expect(await db.query('select due_at <= store_now() as due from fleet_task')).toEqual([{ due: true }]);
  });

  it('concerns neither tasks of other kinds, nor paused tasks', async () => {
    const { db, reject } = await office();
    const stateAfter = async (kind: TaskKind, owner: string): Promise<unknown> => {
      await new Rejections(db).refresh('other', [kind], [owner]);
      return (await db.query<{ state: string }>('select state from fleet_task'))[0]?.state;
    };
    await reject();
    expect(await stateAfter('calls', 'strong')).toBe('failed');
    await db.run(`update fleet_task set state = 'active', due_at = '-infinity'`);
    expect(await stateAfter('calls', 'weak')).toBe('active');
    await db.run(`update fleet_task set state = 'paused'`);
    expect(await stateAfter('messages', 'weak')).toBe('paused');
  });

  it('ends if the user resumes the paused task', async () => {
    const { db, reject } = await office();
    await reject();
    const all = { kinds: ['messages'], subjects: 'all' } as const;
    expect(await resumeTasks(db, all)).toBe(0);
    expect(await db.query(rows)).toHaveLength(1);
    await db.run(`update fleet_task set state = 'paused'`);
    expect(await resumeTasks(db, all)).toBe(1);
    expect(await db.query('select state from fleet_task')).toEqual([{ state: 'active' }]);
    expect(await db.query(rows)).toEqual([]);
  });

  it('ends if its sign-in is added again, but not those of other sign-ins', async () => {
    const { db, reject } = await office();
    await reject();
    await db.run(`insert into fleet_rejection (task_id, owner, problem, at)
      select task_id, 'other', 'old', store_now() - interval '1 day' from fleet_task`);
    await db.transaction((transaction) => forgetRejectionsOf(transaction, 'stranger'));
    expect(await db.query('select state from fleet_task')).toEqual([{ state: 'failed' }]);
    await db.transaction((transaction) => forgetRejectionsOf(transaction, 'weak'));
    expect(await db.query('select state from fleet_task')).toEqual([{ state: 'active' }]);
    expect(await db.query(rows)).toEqual([{ owner: 'other', problem: 'old' }]);
  });

  it('is known to claims while it exists', async () => {
    const { db, claimWith } = await office();
    const rejections = new Rejections(db);
    expect(rejections.exist).toBe(false);
    await rejections.reject(await claimWith('weak'), 'weak', 'not allowed', ['weak']);
    expect(rejections.exist).toBe(true);
    const other = new Rejections(db);
    await other.refresh('other', ['messages'], []);
    expect(other.exist).toBe(true);
    await db.run('delete from fleet_rejection');
    await rejections.refresh('weak', ['messages'], []);
    expect(rejections.exist).toBe(false);
  });

  it('of the newest task is shown for its sign-in', async () => {
    const { db, reject } = await office();
    await reject();
    await enroll(db, [{ kind: 'messages', subject: '2', label: '102' }], {
      everySeconds: 3600,
      onDelete: 'keep',
    });
    await db.run(`insert into fleet_rejection (task_id, owner, problem, at)
      select task_id, 'weak', 'old', store_now() - interval '1 day' from fleet_task where subject = '2'`);
    expect((await rejectionsOfSessions(db)).get('weak')).toMatchObject({
      tasks: 2,
      label: '101',
      problem: 'not allowed',
    });
  });
});

it('tokens of different users have different names in rejections', () => {
  const [origin, other] = ['https://a.example', 'https://b.example'];
  const names = [
    rejectionOwnerOfToken(origin, '101'),
    rejectionOwnerOfToken(origin, '102'),
    rejectionOwnerOfToken(other, '101'),
    rejectionOwnerOfToken(origin, undefined),
    rejectionOwnerOfToken(other, undefined),
  ];
  expect(new Set(names).size).toBe(5);
});
