import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { userOf } from '../../support/sandbox.ts';
import { company } from './company.ts';

/** A company with a running worker, and a mailbox that is due whenever the test needs it. */
async function working() {
  const office = await company('off');
  const { db, run, signIn, sandbox } = office;
  await signIn('default', userOf(sandbox, 'administrator').extension);
  await signIn('second', '102');
  await run(0, 'fleet session add');
  await run(0, 'fleet enroll --extension 102 --every 1h');
  const start = (): { stderr: () => string } => {
    const stop = new AbortController();
    let stderr = '';
    const ended = run(
      1,
      'fleet worker --lease 1s --concurrency 1',
      {},
      {
        signal: stop.signal,
        onStderr: (text) => {
          stderr += text;
        },
      },
    );
    onTestFinished(async () => {
      stop.abort(new Error('interrupted'));
      await ended;
    });
    return { stderr: () => stderr };
  };
  const makeDue = () => db.run(`update fleet_task set due_at = '-infinity' where lease_until = '-infinity'`);
  const sessionOfTask = async () =>
    (await db.query<{ session: string }>('select session from fleet_task'))[0]?.session;
  const problem = async () =>
    (
      await db.query<{ problem: string | null }>(`select problem from fleet_session where profile = 'second'`)
    )[0]?.problem;
  return { ...office, start, makeDue, sessionOfTask, problem };
}

describe.skipIf(postgresMissing())('a running worker', () => {
  it('uses a sign-in that is added later', async () => {
    const { run, start, makeDue, sessionOfTask } = await working();
    const worker = start();
    await eventually(() => expect(worker.stderr()).toContain('started with default.'));
    await run(0, 'fleet session add -p second');
    await eventually(() =>
      expect(worker.stderr()).toContain('The worker now uses the sign-in of profile second.'),
    );
    await eventually(async () => {
      await makeDue();
      expect(await sessionOfTask()).toBe('second');
    });
  });

  it('uses a lost sign-in again after a new login, and clears its problem in the store', async () => {
    const { run, start, makeDue, problem, sessionOfTask, sandbox, signIn } = await working();
    await run(0, 'fleet session add -p second');
    const worker = start();
    await eventually(() => expect(worker.stderr()).toContain('started with default, second'));
    await sandbox.control('POST', '/tokens/revoke', { user: '102' });
    await eventually(async () => {
      await makeDue();
      expect(await problem()).toEqual(expect.any(String));
    });
    expect(worker.stderr()).toContain('can no longer use the session of profile second');
    expect(await signIn('second', '102')).toMatchObject({ exit: 0 });
    await eventually(async () => {
      await makeDue();
      expect([await sessionOfTask(), await problem()]).toEqual(['second', null]);
    });
    expect(worker.stderr()).toContain('The worker now uses the sign-in of profile second.');
    expect(worker.stderr().match(/can no longer use/g)).toHaveLength(1);
  });
});

describe.skipIf(postgresMissing())('the problem of a sign-in', () => {
  it('is cleared by fleet session add, and by a worker that uses the sign-in', async () => {
    const { db, run, signIn, sandbox } = await company();
    await signIn('default', userOf(sandbox, 'administrator').extension);
    await run(0, 'fleet session add');
    await run(0, 'fleet enroll --extension 102');
    const problems = (): Promise<readonly object[]> => db.query('select problem from fleet_session');
    const fail = () => db.run(`update fleet_session set problem = 'ended'`);
    await fail();
    await run(0, 'fleet session add');
    expect(await problems()).toEqual([{ problem: null }]);
    await fail();
    expect(await run(1, 'fleet worker --once')).toMatchObject({ exit: 0 });
    expect(await problems()).toEqual([{ problem: null }]);
  });
});
