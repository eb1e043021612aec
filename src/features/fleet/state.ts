import type { Queries } from '../../platform/postgres/postgres.ts';
import { isDelayed, isLeased } from './claims.ts';
import { hasLoss, signInLosses, type SignInLoss } from './sign-in-losses.ts';
import type { TaskKind } from './tasks.ts';
import { isRunning } from './workers.ts';

/** The tasks of one kind. */
export interface KindState {
  readonly kind: TaskKind;
  readonly tasks: number;
  /** Active tasks that wait for a worker. */
  readonly due: number;
  /** Active tasks whose last success is more than two intervals ago. */
  readonly late: number;
  readonly running: number;
  readonly paused: number;
  readonly failed: number;
  /** Successful runs since the tasks were enrolled. */
  readonly runs: number;
  /** Replies that were not stored, because another worker had taken over. */
  readonly fenced: number;
  /** Seconds for which the oldest due task has been waiting. */
  readonly oldestDueSeconds: number;
}

/** A worker, as of its last report. */
export interface WorkerState {
  readonly worker: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
  readonly concurrency: number;
  readonly state: 'running' | 'draining' | 'lost';
  readonly running: number;
  readonly seenSeconds: number;
}

/** The budget of one sign-in for one usage group. */
export interface BudgetState {
  /** The profile; undefined for a sign-in that is not enrolled. */
  readonly profile: string | null;
  readonly owner: string;
  readonly group: string;
  readonly limit: number | null;
  readonly remaining: number;
  /** Seconds until the window ends; 0 for a window that has ended. */
  readonly resetsInSeconds: number;
  /** Seconds until requests may be sent again; 0 if they may. */
  readonly waitSeconds: number;
}

/** A task that needs a change by the user, or whose last attempt failed. */
export interface TaskProblem {
  readonly kind: TaskKind;
  readonly label: string;
  readonly state: 'active' | 'paused' | 'failed';
  readonly problem: string;
}

/** Everything that `fleet status` shows and that workers report as metrics. */
export interface FleetState {
  readonly kinds: readonly KindState[];
  readonly workers: readonly WorkerState[];
  readonly budgets: readonly BudgetState[];
  /** Without lost sign-ins. */
  readonly problems: readonly TaskProblem[];
  readonly lostSignIns: readonly SignInLoss[];
}

/** Maximum number of problems in the list. */
const mostProblems = 20;

/** Tasks that wait for a worker at the time `t`, including those that workers make due after a change of the clock. */
const isWaiting = `state = 'active' and (due_at <= t or ${isDelayed}) and not ${isLeased}`;

/** The state of the fleet, by the clock of the store. @throws {StoreError} */
export async function fleetState(db: Queries): Promise<FleetState> {
  const kinds = await db.query<KindState>(
    `with clock as materialized (select store_now() as t)
     select kind, count(*) as tasks,
       count(*) filter (where ${isWaiting}) as due,
       count(*) filter (where state = 'active' and coalesce(done_at, enrolled_at) < t - make_interval(secs => 2 * every_seconds)) as late,
       count(*) filter (where ${isLeased}) as running,
       count(*) filter (where state = 'paused') as paused, count(*) filter (where state = 'failed') as failed,
       coalesce(sum(runs), 0)::bigint as runs, coalesce(sum(fenced), 0)::bigint as fenced,
       greatest(0, round(extract(epoch from max(t - due_at) filter (where ${isWaiting}))))::bigint as "oldestDueSeconds"
     from fleet_task, clock group by kind order by kind`,
  );
  const workers = await db.query<WorkerState>(
    `with clock as materialized (select store_now() as t)
     select worker, machine, pid, version, concurrency,
       case when ${isRunning} then state else 'lost' end as state,
       (select count(*) from fleet_task where fleet_task.worker = fleet_worker.worker and ${isLeased}) as running,
       greatest(0, round(extract(epoch from t - seen_at)))::bigint as "seenSeconds"
     from fleet_worker, clock order by worker`,
  );
  const problems = await db.query<TaskProblem>(
    `select kind, label, state, problem from fleet_task where problem is not null and not ${hasLoss}
     order by state = 'failed' desc, due_at limit ${mostProblems}`,
  );
  return { kinds, workers, budgets: await budgetState(db), problems, lostSignIns: await signInLosses(db) };
}

/** The budgets of all sign-ins that send requests through the store. @throws {StoreError} */
export function budgetState(db: Queries): Promise<readonly BudgetState[]> {
  return db.query<BudgetState>(
    `with clock as materialized (select store_now() as t)
     select profile, budget.owner, grp as "group", lim as "limit",
       case when lim is not null and resets_at <= t then lim else remaining end as remaining,
       greatest(0, ceil(extract(epoch from case when resets_at > t then resets_at end - t)))::bigint as "resetsInSeconds",
       greatest(0, ceil(extract(epoch from greatest(case when blocked_until > t then blocked_until end,
         case when lim is not null and remaining <= 0 and resets_at > t then resets_at end) - t)))::bigint as "waitSeconds"
     from clock, budget left join lateral (
       select min(profile) as profile from fleet_session where fleet_session.owner = budget.owner
     ) as known on true
     where lim is not null or blocked_until > t
     order by profile nulls last, owner, grp`,
  );
}
