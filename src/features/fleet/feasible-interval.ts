import type { Queries } from '../../platform/postgres/postgres.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import { firstRequests } from './claim-turns.ts';
import type { NewTask, TaskKind } from './tasks.ts';
import { hasWorkerOwners, usableOwners } from './usable-owners.ts';

/** The kinds of tasks that send at least one request in each run. */
const requesting: readonly TaskKind[] = ['messages', 'calls'];

/**
 * Returns the shortest interval in seconds at which the rate limits in the store allow these tasks, besides the other tasks.
 * Each run sends at least one request.
 * @param own the sign-in of this run, which workers probably use. A sign-in without a known limit counts like the others.
 * @returns infinity if the other tasks send too many requests, undefined if no limit is known. @throws {StoreError}
 */
export async function shortestInterval(
  db: Queries,
  own: Pick<FleetSession, 'owner' | 'groupOf'>,
  tasks: readonly NewTask[],
): Promise<number | undefined> {
  const groups = new Map<string, TaskKind[]>();
  for (const kind of requesting) {
    const group = own.groupOf(...firstRequests[kind]);
    groups.set(group, [...(groups.get(group) ?? []), kind]);
  }
  const intervals: number[] = [];
  for (const [group, kinds] of groups) {
    const rate = await requestsPerSecond(db, own.owner, group, kinds);
    const { given, others } = await demand(db, kinds, tasks);
    if (rate === undefined || given === 0) continue;
    intervals.push(rate > others ? Math.ceil(given / (rate - others)) : Number.POSITIVE_INFINITY);
  }
  return intervals.length === 0 ? undefined : Math.max(...intervals);
}

/** Returns the requests per second that all usable sign-ins may send together; undefined if no limit is known. */
async function requestsPerSecond(
  db: Queries,
  own: string,
  group: string,
  kinds: readonly TaskKind[],
): Promise<number | undefined> {
  const usable = usableOwners('$1', `any('{${kinds.join(',')}}')`, await hasWorkerOwners(db));
  const [row] = await db.query<{ rate: number | null }>(
    `with rates as (
       select lim::float8 * 1000 / window_ms as rate from ${usable} left join budget on budget.owner = usable.owner and grp = $2
     ) select sum(coalesce(rate, (select max(rate) from rates))) as rate from rates`,
    [[own], group],
  );
  return row?.rate ?? undefined;
}

/** Returns how many of these tasks are active, and the requests per second of the other active tasks of these kinds. */
async function demand(
  db: Queries,
  kinds: readonly TaskKind[],
  tasks: readonly NewTask[],
): Promise<{ readonly given: number; readonly others: number }> {
  const [row] = await db.query<{ given: number; others: number }>(
    `select count(*) filter (where given.kind is not null) as given,
       coalesce(sum(1::float8 / every_seconds) filter (where given.kind is null), 0) as others
     from fleet_task left join unnest($1::text[], $2::text[]) as given (kind, subject) using (kind, subject)
     where state = 'active' and kind = any($3)`,
    [tasks.map(({ kind }) => kind), tasks.map(({ subject }) => subject), kinds],
  );
  return row ?? { given: 0, others: 0 };
}
