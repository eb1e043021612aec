import { describe, expect, it } from 'vitest';
import { postgresMissing } from '../../support/postgres.ts';
import { userOf } from '../../support/sandbox.ts';
import { company } from './company.ts';

describe.skipIf(postgresMissing())('several sign-ins of a fleet', () => {
  it('are several budgets, and a worker on another machine uses all of them', async () => {
    const { db, run, signIn, sandbox } = await company();
    expect(await signIn('default', userOf(sandbox, 'administrator').extension)).toMatchObject({ exit: 0 });
    expect(await signIn('second', '102')).toMatchObject({ exit: 0 });
    expect(await run(0, 'fleet session add')).toMatchObject({ exit: 0 });
    const listed = await run(0, 'fleet session add -p second -o json');
    expect(JSON.parse(listed.stdout)).toMatchObject([
      { profile: 'default', problem: null },
      { profile: 'second', problem: null },
    ]);
    expect(await run(0, 'fleet enroll --extension 102,103')).toMatchObject({ exit: 0 });
    // The sign-in of 102 gets the second task, its own mailbox.
    await db.run(`update fleet_task set due_at = due_at - interval '1 second' where label = '103'`);
    const worked = await run(1, 'fleet worker --once --concurrency 1 --all -o ndjson');
    expect(worked).toMatchObject({ exit: 0 });
    expect(worked.stderr).toContain('started with default, second');
    expect(worked.stderr).not.toContain('same user and app');
    const sessions = await db.query<{ session: string }>(
      'select distinct session from fleet_task order by 1',
    );
    expect(sessions.map(({ session }) => session)).toEqual(['default', 'second']);
    const owners = await db.query(`select distinct owner from budget where grp = 'light'`);
    expect(owners).toHaveLength(2);
    expect(await run(0, 'fleet session remove -p second')).toMatchObject({ exit: 0 });
    expect(await run(0, 'fleet session remove -p second')).toMatchObject({ exit: 3 });
  });

  it('spec:RATE-5 of the same user and app share a budget, with a warning', async () => {
    const { db, run, signIn, sandbox } = await company();
    const { extension } = userOf(sandbox, 'administrator');
    for (const profile of ['default', 'second']) await signIn(profile, extension);
    await run(0, 'fleet session add -p second');
    await run(0, 'fleet enroll --extension 102');
    const { exit, stderr } = await run(1, 'fleet worker --once');
    expect([exit, stderr]).toEqual([
      0,
      expect.stringContaining('profile second: it has the same user and app as profile default'),
    ]);
    expect(await db.query(`select distinct owner from budget where grp = 'light'`)).toHaveLength(1);
  });

  it('must be in the store', async () => {
    const { run } = await company();
    const { exit, stderr } = await run(0, 'fleet session add', { UCCTL_TOKEN: 'a-token' });
    expect(exit).toBe(12);
    expect(stderr).toContain('other machines cannot use the session');
  });

  it('are not used after their session has ended, and the worker continues with the others', async () => {
    const { db, run, signIn, sandbox } = await company();
    await signIn('default', userOf(sandbox, 'administrator').extension);
    await signIn('second', '102');
    await run(0, 'fleet session add -p second');
    await run(0, 'fleet enroll --extension 101,102,103');
    // A session with another key cannot be used.
    await db.run(`update session set encrypted = 'damaged' where item = 'second'`);
    const worked = await run(1, 'fleet worker --once');
    expect(worked).toMatchObject({ exit: 0 });
    expect(worked.stderr).toContain('ucctl does not use the sign-in of profile second');
    expect(await db.query('select count(*) as done from fleet_task where runs = 1')).toEqual([{ done: 3 }]);
  });
});
