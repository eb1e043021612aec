import type { Queries } from '../../platform/postgres/postgres.ts';

/** The loss of a sign-in that ended an attempt of a task. */
export interface SignInLoss {
  readonly profile: string;
  /** The machine of the worker, and the reason. */
  readonly problem: string;
}

/** The parts of the problem of a task around the name of the machine. They identify such a problem in the store. */
const before = 'the sign-in on ';
const after = ' has ended: ';

/** The SQL condition that a task has lost the sign-in of its last attempt, and has not succeeded since. */
export const hasLoss = `coalesce(problem like '${before}%${after}%', false)`;

/** Returns the problem of a task whose sign-in was lost. A worker that exits deletes its own row, but not its tasks. */
export function lossText(machine: string, problem: string): string {
  return `${before}${machine}${after}${problem}`;
}

/** The last loss of a sign-in of each profile, newest first, if its task still waits. @throws {StoreError} */
export function signInLosses(db: Queries): Promise<readonly SignInLoss[]> {
  return db.query<SignInLoss>(
    `select profile, problem from (
       select distinct on (session) session as profile, problem, due_at from fleet_task
       where state = 'active' and session is not null and ${hasLoss} order by session, due_at desc
     ) as last order by due_at desc, profile`,
  );
}
