import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import { seenWithin } from '../../platform/postgres/seen-within.ts';

/** A report by a worker that it is alive. */
export interface WorkerFacts {
  readonly worker: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly concurrency: number;
}

/** The reply to a report: whether the worker must finish its tasks and exit. */
export type WorkerOrder = 'running' | 'draining';

/** Seconds without a report after which a worker counts as lost. */
const lostSeconds = 15;

/** Whether a row of `fleet_worker` belongs to a running worker. */
export const isRunning = seenWithin(lostSeconds);

/** Records that the worker is alive. @returns whether the worker must exit. */
export async function reportAlive(db: Queries, facts: WorkerFacts): Promise<WorkerOrder> {
  const { worker, machine, pid, version, concurrency } = facts;
  const [row] = await db.query<{ state: WorkerOrder }>(
    `insert into fleet_worker (worker, machine, pid, version, concurrency) values ($1, $2, $3, $4, $5)
     on conflict (worker) do update set seen_at = store_now() returning state`,
    [worker, machine, pid, version, concurrency],
  );
  return row?.state ?? 'running';
}

/**
 * Removes the worker, and workers whose last report is an hour away from now. Tasks that the worker still had become due
 * immediately.
 */
export async function reportEnd(db: Postgres, worker: string): Promise<void> {
  await db.transaction(async (transaction) => {
    await transaction.run(
      `update fleet_task set lease_until = '-infinity', worker = null, due_at = store_now() where worker = $1 and lease_until > '-infinity'`,
      [worker],
    );
    await transaction.run(`delete from fleet_worker where worker = $1 or not (${seenWithin(3600)})`, [
      worker,
    ]);
  });
}

/** The workers that were asked to exit, and names that no running worker has. */
export interface Drained {
  readonly drained: readonly Pick<WorkerFacts, 'worker' | 'machine'>[];
  readonly unknown: readonly string[];
}

/**
 * Asks workers to finish their tasks and exit: all workers, or the workers with these names. Changes nothing if a name is
 * unknown.
 */
export async function drainWorkers(db: Postgres, names: readonly string[]): Promise<Drained> {
  return db.transaction(async (transaction) => {
    const found = await transaction.query<{ worker: string; machine: string }>(
      `select worker, machine from fleet_worker where ($1::text[] = '{}' or worker = any($1))
         and ${isRunning} order by worker for update`,
      [names],
    );
    const workers = found.map(({ worker }) => worker);
    const unknown = names.filter((name) => !workers.includes(name));
    if (unknown.length > 0) return { drained: [], unknown };
    await transaction.run(`update fleet_worker set state = 'draining' where worker = any($1)`, [workers]);
    return { drained: found, unknown };
  });
}
