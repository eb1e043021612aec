import { expect } from 'vitest';
import { userOf } from '../../support/sandbox.ts';
import { company } from './company.ts';

/** A company with an administrator, and a user who may read only the own mailbox, 102. */
export async function unequal() {
  const office = await company('off');
  const { db, run, signIn, sandbox } = office;
  await signIn('default', userOf(sandbox, 'administrator').extension);
  await signIn('dana', '102');
  expect(await run(0, 'fleet enroll --extension 102,103,104')).toMatchObject({ exit: 0 });
  const tasks = () => db.query('select label, state, problem, runs from fleet_task order by label');
  const problems = async (): Promise<readonly object[]> => {
    const { stdout } = await run(0, 'fleet session -o json');
    return (JSON.parse(stdout) as { profile: string; problem: string | null }[]).map(
      ({ profile, problem }) => ({ profile, problem }),
    );
  };
  return { ...office, tasks, problems };
}
