import { describe, expect, it } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { signInAs, userOf } from '../../support/sandbox.ts';
import { unequal } from './unequal.ts';

/**
 * A company whose administrator's session is added. A worker of another user, 102, has executed the task of mailbox 103 with
 * it. The task of mailbox 104 is new, and both tasks are due.
 */
async function shared() {
  const office = await unequal();
  const { db, run, network } = office;
  await run(0, 'fleet session add');
  await db.run(`delete from fleet_task where label <> '103'`);
  await run(0, 'fleet worker --once -p dana');
  expect(await db.query('select label from fleet_rejection join fleet_task using (task_id)')).toEqual([
    { label: '103' },
  ]);
  expect(await run(0, 'fleet enroll --extension 103,104')).toMatchObject({ exit: 0 });
  await db.run(`update fleet_task set due_at = '-infinity'`);
  let attempts = 0;
  const { send } = network;
  network.send = (request) => {
    if (request.url.pathname.endsWith('/message-sync')) attempts += 1;
    return send(request);
  };
  return { ...office, attempts: () => attempts };
}

const failed = (label: string) => ({ label, state: 'failed', problem: expect.any(String) as string });

describe.skipIf(postgresMissing())('tasks that only an unusable sign-in was not rejected for', () => {
  it('fail if its session cannot be opened, until it can be opened again', async () => {
    const { run, signIn, sandbox, tasks, problems, attempts } = await shared();
    expect(await run(0, 'logout')).toMatchObject({ exit: 0 });
    expect(await run(0, 'fleet worker --once -p dana')).toMatchObject({ exit: 0 });
    expect(await tasks()).toMatchObject([failed('103'), failed('104')]);
    expect(attempts()).toBe(1);
    expect(await problems()).toEqual([
      {
        profile: 'default',
        problem: expect.stringMatching(/^a worker cannot open the session: .+/) as string,
      },
    ]);
    await signIn('default', userOf(sandbox, 'administrator').extension);
    expect(await run(0, 'fleet worker --once -p dana --tasks calls')).toMatchObject({ exit: 0 });
    expect(await problems()).toEqual([{ profile: 'default', problem: null }]);
    await run(0, 'fleet worker --once -p dana');
    expect(await tasks()).toMatchObject([
      { label: '103', state: 'active', problem: null, runs: 2 },
      { label: '104', state: 'active', problem: null, runs: 1 },
    ]);
  });

  it('fail if its session was removed', async () => {
    const { run, tasks, attempts } = await shared();
    await run(0, 'fleet session remove');
    expect(await run(0, 'fleet worker --once -p dana')).toMatchObject({
      stderr: expect.stringContaining(
        'warning: 1 due task failed, because the service rejected all usable sign-ins; to show the reason: ucctl -p dana fleet status',
      ) as string,
    });
    expect(await tasks()).toMatchObject([failed('103'), failed('104')]);
    expect(attempts()).toBe(1);
    const { stdout } = await run(1, 'fleet status -o json');
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ state: 'due', count: 0 }),
        expect.objectContaining({ state: 'failed', count: 2 }),
      ]),
    );
  });

  it('fail if its session ended during the run', async () => {
    const { run, tasks, network, problems } = await shared();
    const { send } = network;
    let isFirst = true;
    network.send = async (request) => {
      if (isFirst && request.url.pathname.endsWith('/message-sync')) {
        isFirst = false;
        await run(0, 'logout');
      }
      return send(request);
    };
    await run(0, 'fleet worker --once -p dana --concurrency 1');
    expect(await tasks()).toMatchObject([failed('103'), failed('104')]);
    expect(await problems()).toEqual([{ profile: 'default', problem: expect.any(String) as string }]);
  });

  it('fail if another user, who was rejected too, has signed in to its profile', async () => {
    const { run, db, signIn, tasks } = await shared();
    await run(0, 'logout');
    expect(await signIn('default', '102')).toMatchObject({ exit: 0 });
    await run(0, 'fleet worker --once -p dana');
    expect(await tasks()).toMatchObject([failed('103'), failed('104')]);
    expect(await db.query('select count(distinct owner) as owners from fleet_rejection')).toEqual([
      { owners: 1 },
    ]);
  });
});

/** A worker of a company is started with a new token of a user each time. */
async function tokens() {
  const office = await unequal();
  const { run, db, sandbox } = office;
  return {
    ...office,
    rejections: () => db.query('select task_id, owner from fleet_rejection order by task_id'),
    /** Returns the number of attempts of a worker. */
    work: async (who: string): Promise<number> => {
      const token = await signInAs(sandbox, who);
      const { exit, stdout } = await run(0, 'fleet worker --once --all', { UCCTL_TOKEN: token });
      expect(exit).toBe(0);
      return stdout.split('\n').filter((line) => line !== '').length;
    },
  };
}

describe.skipIf(postgresMissing())('tokens from the environment', () => {
  it('do not try the failed tasks of an earlier token of the same user', async () => {
    const { work, rejections, tasks } = await tokens();
    expect(await work('102')).toBe(3);
    const known = await rejections();
    expect(known).toHaveLength(2);
    expect(await work('102')).toBe(0);
    expect(await rejections()).toEqual(known);
    expect(await work('administrator')).toBe(2);
    expect(await tasks()).toMatchObject([{ state: 'active' }, { state: 'active' }, { state: 'active' }]);
  });

  it('do not try the tasks again that wait for an added sign-in', async () => {
    const { run, db, work, tasks } = await tokens();
    await run(0, 'fleet session add');
    expect(await work('102')).toBe(3);
    await db.run(`update fleet_task set due_at = '-infinity'`);
    expect(await work('102')).toBe(1);
    expect(await tasks()).toMatchObject([
      { runs: 2 },
      { state: 'active', runs: 0 },
      { state: 'active', runs: 0 },
    ]);
  });

  it('do not try the failed tasks of another token if the service does not name their users', async () => {
    const { network, work, rejections } = await tokens();
    const { send } = network;
    network.send = async (request) => {
      const isUser = request.url.pathname.endsWith('/extension/~');
      if (isUser) request.url.pathname = request.url.pathname.replace('~', '1');
      return send(request);
    };
    expect(await work('102')).toBe(3);
    expect(await work('102')).toBe(0);
    expect(await rejections()).toHaveLength(2);
  });
});
