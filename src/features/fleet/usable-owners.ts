import type { Queries } from '../../platform/postgres/postgres.ts';
import type { TaskKind } from './tasks.ts';
import { isRunning } from './workers.ts';

/** The step of the schema that adds the sign-ins of running workers. */
const workerOwnerStep = 17;

/**
 * Whether the store has the table of the sign-ins of running workers. Without it, a worker knows only its own sign-ins and the
 * enrolled ones. @throws {StoreError}
 */
export async function hasWorkerOwners(db: Queries): Promise<boolean> {
  const [row] = await db.query<{ stored: boolean }>(
    'select exists (select 1 from store_migration where number = $1) as stored',
    [workerOwnerStep],
  );
  return row?.stored ?? false;
}

/**
 * Replaces the sign-ins that a running worker uses for tasks of these kinds.
 * @returns whether the store has a table for them. @throws {StoreError}
 */
export async function reportOwners(
  db: Queries,
  worker: string,
  kinds: readonly TaskKind[],
  owners: readonly string[],
): Promise<boolean> {
  if (!(await hasWorkerOwners(db))) return false;
  await db.run('delete from fleet_worker_owner where worker = $1 and owner <> all($2)', [worker, owners]);
  // Another worker may have deleted the row of this worker after a long suspension, until the next report.
  await db.run(
    `insert into fleet_worker_owner (worker, kind, owner)
       select worker, kind, owner from fleet_worker, unnest($2::text[]) as kind, unnest($3::text[]) as owner where worker = $1
     on conflict do nothing`,
    [worker, kinds, owners],
  );
  return true;
}

const ofRunning = `fleet_worker_owner join fleet_worker using (worker) where fleet_worker.state = 'running' and ${isRunning}`;

/** Returns the condition that a running worker uses a sign-in for a task of any kind. */
export function isUsedByWorker(owner: string): string {
  return `exists (select 1 from ${ofRunning} and fleet_worker_owner.owner = ${owner})`;
}

/**
 * Returns the sign-ins that can try the tasks of a kind, as a table `usable (owner)`: the sign-ins of this worker and of the
 * other running workers, and the enrolled ones, which any worker can use. A sign-in with a problem counts only if a worker
 * uses it regardless, for example on a machine that has the key of its session.
 * @param own the parameter with the sign-ins of this worker
 * @param hasOthers whether the store has the sign-ins of other workers (`hasWorkerOwners`)
 */
export function usableOwners(own: string, kind: string, hasOthers: boolean): string {
  const known = `select unnest(${own}::text[]) as owner union select owner from fleet_session where problem is null`;
  const others = `select owner from ${ofRunning} and fleet_worker_owner.kind = ${kind}`;
  return `(${hasOthers ? `${known} union ${others}` : known}) as usable`;
}
