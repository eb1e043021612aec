import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import { forgetRejectionsOf } from './rejections.ts';
import { hasWorkerOwners, isUsedByWorker } from './usable-owners.ts';

/** A sign-in that all workers use in addition to their own. */
export interface EnrolledSession {
  readonly profile: string;
  readonly origin: string;
  /** Name of its rate budget. */
  readonly owner: string;
  readonly who: string;
  readonly addedAt: Date;
  /** The reason why the sign-in cannot be used, as reported by the last worker that tried to use it. */
  readonly problem: string | null;
}

/** The sign-ins of the fleet, in the order of their names. */
export function enrolledSessions(db: Queries): Promise<readonly EnrolledSession[]> {
  return db.query<EnrolledSession>(
    'select profile, origin, owner, who, added_at as "addedAt", problem from fleet_session order by profile',
  );
}

/** Adds a sign-in, or replaces the sign-in of the same profile. It may then try all tasks. @throws {StoreError} */
export async function addSession(
  db: Postgres,
  { profile, origin, owner, who }: Pick<EnrolledSession, 'profile' | 'origin' | 'owner' | 'who'>,
): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.run(
      `insert into fleet_session (profile, origin, owner, who) values ($1, $2, $3, $4) on conflict (profile) do update
         set origin = excluded.origin, owner = excluded.owner, who = excluded.who, problem = null`,
      [profile, origin, owner, who],
    );
    await forgetRejectionsOf(transaction, owner);
  });
}

/** Removes a sign-in from the fleet, but does not delete its session. @returns whether it existed. */
export async function removeSession(db: Queries, profile: string): Promise<boolean> {
  return (await db.run('delete from fleet_session where profile = $1', [profile])) > 0;
}

/** Records whether a sign-in can be used. */
export async function reportSession(db: Queries, profile: string, problem: string | null): Promise<void> {
  await db.run('update fleet_session set problem = $2 where profile = $1 and problem is distinct from $2', [
    profile,
    problem,
  ]);
}

/** The beginning of the problem of a sign-in whose session no worker can open. Unlike other problems, it ends without a request. */
const unopened = 'a worker cannot open the session: ';

/**
 * Records that a worker cannot open the session of a sign-in, unless a running worker uses the sign-in: the reason may concern
 * only one machine, for example a missing key.
 */
export async function reportUnopened(db: Queries, profile: string, reason: string): Promise<void> {
  const isUsed = (await hasWorkerOwners(db)) ? isUsedByWorker('fleet_session.owner') : 'false';
  await db.run(
    `update fleet_session set problem = $2 where profile = $1 and problem is distinct from $2 and not ${isUsed}`,
    [profile, `${unopened}${reason}`],
  );
}

/**
 * Records that a worker has opened the session of an enrolled sign-in. If another user has signed in to the profile, the
 * sign-in of the earlier user is not usable any more.
 */
export async function reportOpened(
  db: Queries,
  enrolled: EnrolledSession,
  { owner, who }: Pick<FleetSession, 'owner' | 'who'>,
): Promise<void> {
  const isUnopened = enrolled.problem?.startsWith(unopened) ?? false;
  if (enrolled.owner === owner && !isUnopened) return;
  await db.run(
    `update fleet_session set owner = $3, who = $4, problem = nullif(problem, $5) where profile = $1 and owner = $2`,
    [enrolled.profile, enrolled.owner, owner, who, isUnopened ? enrolled.problem : null],
  );
}

/** The numbers of changes of the sessions in the store, by profile. A new sign-in changes the session of its profile. */
export async function sessionGenerations(
  db: Queries,
  profiles: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ item: string; generation: number }>(
    'select item, generation from session where item = any($1)',
    [profiles],
  );
  return new Map(rows.map(({ item, generation }) => [item, generation]));
}
