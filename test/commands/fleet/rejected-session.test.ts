import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { unequal } from './unequal.ts';

/** A company whose only sign-in was rejected for the task of mailbox 103, which it may read now. */
async function unreadable() {
  const office = await unequal();
  const { db, run } = office;
  await db.run(`delete from fleet_task where label <> '103'`);
  const [task] = await db.query<{ subject: string }>('select subject from fleet_task');
  await db.run(`update fleet_task set subject = '4711'`);
  await run(0, 'fleet session add');
  await run(0, 'fleet worker --once');
  expect(await office.tasks()).toMatchObject([{ label: '103', state: 'failed' }]);
  await db.run('update fleet_task set subject = $1', [task?.subject ?? '']);
  return office;
}

const done = (label: string, runs = 1) => ({ label, state: 'active', problem: null, runs });
const rejected = {
  profile: 'dana',
  problem: expect.stringMatching(/^the service rejected 2 tasks, such as messages of 10[34]: .+/) as string,
};

describe.skipIf(postgresMissing())('a sign-in that may not read some mailboxes', () => {
  it('does not fail their tasks, which another sign-in executes, and has a problem', async () => {
    const { run, db, tasks, problems } = await unequal();
    await run(0, 'fleet session add -p dana');
    // The sign-ins take turns, but the order in a round depends on the time of each attempt.
    for (let round = 1, isRejected = false; !isRejected; round += 1) {
      expect(round).toBeLessThan(20);
      expect(await run(1, 'fleet worker --once --concurrency 1 --all')).toMatchObject({ exit: 0 });
      expect(await tasks()).toEqual(['102', '103', '104'].map((label) => done(label, round)));
      await db.run(`update fleet_task set due_at = '-infinity'`);
      isRejected = (await db.query('select from fleet_rejection')).length === 2;
    }
    expect(await problems()).toEqual([rejected]);
    await run(0, 'fleet retry');
    expect(await problems()).toEqual([{ profile: 'dana', problem: null }]);
  });

  it('fails tasks if no other sign-in is known, until a worker has one that was not rejected', async () => {
    const { run, db, tasks } = await unequal();
    expect(await run(0, 'fleet worker --once -p dana')).toMatchObject({ exit: 0 });
    const failed = { state: 'failed', problem: expect.any(String) as string, runs: 0 };
    expect(await tasks()).toEqual([done('102'), { ...failed, label: '103' }, { ...failed, label: '104' }]);
    // The same sign-in does not try them again, and no sign-in tries a task that failed for another reason.
    await db.run(`update fleet_task set problem = 'blocked by a legal hold' where label = '104'`);
    await run(0, 'fleet worker --once -p dana');
    expect(await tasks()).toMatchObject([done('102'), { state: 'failed' }, { state: 'failed' }]);
    await run(0, 'fleet worker --once');
    expect(await tasks()).toMatchObject([done('102'), done('103'), { label: '104', state: 'failed' }]);
    // After 7 days, a sign-in may try again a task that has not failed.
    await db.run(`update fleet_rejection set at = at - interval '8 days'`);
    await run(0, 'fleet worker --once --tasks calls');
    const known = await db.query('select label from fleet_rejection join fleet_task using (task_id)');
    expect(known).toEqual([{ label: '104' }]);
  });

  it('loses a rejection that is stored while its task is retried', async () => {
    const { run, db } = await unequal();
    await run(0, 'fleet worker --once -p dana');
    let retried: ReturnType<typeof run> | undefined;
    await db.transaction(async (transaction) => {
      const [task] = await transaction.query<{ taskId: number }>(
        `select task_id as "taskId" from fleet_task where label = '104' for update`,
      );
      retried = run(0, 'fleet retry');
      await eventually(async () =>
        expect(
          await db.query(
            "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%fleet_task%'",
          ),
        ).toHaveLength(1),
      );
      await transaction.run(
        `insert into fleet_rejection (task_id, owner, problem) values ($1, 'other', 'rejected')`,
        [task?.taskId ?? 0],
      );
    });
    expect(await retried).toMatchObject({ exit: 0 });
    expect(
      await db.query('select label, owner from fleet_rejection join fleet_task using (task_id)'),
    ).toEqual([]);
    const states = await db.query('select label, state from fleet_task order by label');
    expect(states).toEqual(['102', '103', '104'].map((label) => ({ label, state: 'active' })));
  });

  it('fails a task that every usable sign-in was rejected for', async () => {
    const { run, db, tasks, problems } = await unequal();
    await run(0, 'fleet session add');
    await run(0, 'fleet session add -p dana');
    await db.run(`update fleet_task set subject = '4711' where label = '103'`);
    await run(0, 'fleet worker --once');
    expect(await tasks()).toMatchObject([done('102'), { label: '103', state: 'failed' }, done('104')]);
    expect(await problems()).toMatchObject([
      { profile: 'dana', problem: expect.stringContaining('messages of 103') as string },
      { profile: 'default', problem: expect.stringContaining('messages of 103') as string },
    ]);
    await run(0, 'fleet session add');
    expect(await problems()).toMatchObject([{ profile: 'dana' }, { profile: 'default', problem: null }]);
  });

  it('tries a failed task again after 7 days', async () => {
    const { run, db, tasks } = await unreadable();
    await db.run(`update fleet_rejection set at = at - interval '7 days 1 minute'`);
    await run(0, 'fleet worker --once');
    expect(await tasks()).toEqual([done('103')]);
  });

  it('tries a task again that was paused during a rejected attempt and resumed', async () => {
    const { run, db, network, tasks } = await unequal();
    await db.run(`delete from fleet_task where label <> '103'`);
    const { send } = network;
    network.send = async (request) => {
      if (request.url.pathname.includes('message')) await run(1, 'fleet pause');
      return send(request);
    };
    await run(0, 'fleet worker --once -p dana');
    network.send = send;
    expect(await tasks()).toMatchObject([{ state: 'paused', problem: expect.any(String) as string }]);
    await run(0, 'fleet resume --tasks calls');
    expect(await db.query('select 1 from fleet_rejection')).toHaveLength(1);
    await run(0, 'fleet resume');
    await run(0, 'fleet worker --once -p dana');
    expect(await tasks()).toMatchObject([{ state: 'failed' }]);
  });

  it('keeps the rejections of a failed task when another task is resumed', async () => {
    const { run, db } = await unreadable();
    await run(0, 'fleet resume');
    expect(await db.query('select 1 from fleet_rejection')).toHaveLength(1);
  });

  it('tries a failed task again after its session was added again', async () => {
    const { run, tasks } = await unreadable();
    await run(0, 'fleet session add');
    expect(await tasks()).toMatchObject([{ state: 'active' }]);
    await run(0, 'fleet worker --once');
    expect(await tasks()).toEqual([done('103')]);
  });

  it('adds a session again without making tasks due that failed for another reason', async () => {
    const { run, db, tasks } = await unreadable();
    await db.run(`update fleet_task set problem = 'blocked by a legal hold'`);
    await run(0, 'fleet session add');
    expect(await tasks()).toMatchObject([{ state: 'failed' }]);
  });

  it('executes a task that failed more than 7 days ago with a sign-in that is new', async () => {
    const { run, db, tasks } = await unequal();
    await run(0, 'fleet worker --once -p dana');
    await db.run(`update fleet_rejection set at = at - interval '8 days'`);
    // A worker without the tasks must not delete the reason why they failed.
    await run(0, 'fleet worker --once --tasks calls -p dana');
    expect(await tasks()).toMatchObject([done('102'), { state: 'failed' }, { state: 'failed' }]);
    await run(0, 'fleet worker --once');
    expect(await tasks()).toEqual([done('102'), done('103'), done('104')]);
  });
});
