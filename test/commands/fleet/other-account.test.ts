import { expect, it } from 'vitest';
import { otherAccount } from '../../support/other-account.ts';
import { postgresMissing } from '../../support/postgres.ts';
import { userOf } from '../../support/sandbox.ts';
import { company } from './company.ts';

it
  .skipIf(postgresMissing())
  .each(['fleet session add', 'fleet enroll --extension all', 'fleet worker --once'])(
  '%s rejects a sign-in to another account than that of the archive',
  async (words) => {
    const { db, network, run, signIn, sandbox } = await company();
    await signIn('default', userOf(sandbox, 'administrator').extension);
    expect(await run(0, 'fleet enroll --extension 101')).toMatchObject({ exit: 0 });
    expect(await run(0, 'fleet worker --once')).toMatchObject({ exit: 0 });
    await run(0, 'fleet retry --extension 101');
    network.send = otherAccount(network.send);
    const { exit, stderr } = await run(0, `${words} -o json`);
    const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as { readonly error: object };
    expect([exit, error]).toMatchObject([11, { code: 'other_account' }]);
    const tasks = await db.query('select subject, state, problem, runs from fleet_task');
    expect(tasks).toMatchObject([{ state: 'active', problem: null, runs: 1 }]);
    expect(await db.query('select profile from fleet_session')).toEqual([]);
  },
);
