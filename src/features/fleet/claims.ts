import type { FleetTake } from '../../client/rate-limiter.ts';
import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import type { OnDelete } from '../../store/reply.ts';
import { FencedError } from './task-errors.ts';
import type { NewTask, TaskKind } from './tasks.ts';
import { hasLoss } from './sign-in-losses.ts';

/** A task that a worker has claimed. */
export interface ClaimedTask extends NewTask {
  readonly taskId: number;
  readonly onDelete: OnDelete;
  /** Increases with each claim. Only the worker with the newest fence may store data. */
  readonly fence: number;
  /** Number of this attempt since the last success, from 1. */
  readonly attempts: number;
}

/** The worker that claims a task, and the duration of its lease. */
export interface Claim {
  readonly kind: TaskKind;
  readonly worker: string;
  readonly session: string;
  readonly leaseMilliseconds: number;
  /** The rate budget from which the first request of the task is taken. */
  readonly budget: { readonly owner: string; readonly group: string };
  /** Whether the task always sends a request. Otherwise the budget is only checked. */
  readonly prepays: boolean;
  /** The sign-in whose rejected tasks are excluded; undefined excludes none. */
  readonly excludedFor: string | undefined;
}

/**
 * The result of a claim: a task, the milliseconds until the budget allows a task, or nothing because no task
 * is due.
 */
export type Claimed =
  | { readonly task: ClaimedTask; readonly taken: FleetTake | undefined }
  | { readonly waitMilliseconds: number }
  | undefined;

/** The condition that a task of the kind $1 is due. @param owner the parameter with the sign-in whose rejected tasks are excluded */
function dueCondition(owner: '$2' | '$5' | undefined): string {
  const due = "kind = $1 and state = 'active' and due_at <= (select t from clock)";
  return owner === undefined
    ? due
    : `${due} and not exists (select 1 from fleet_rejection where fleet_rejection.task_id = fleet_task.task_id and owner = ${owner})`;
}

/** The policy of a task. In a store without step 18 (`taskPolicyMigration`), that of the archive applies instead. */
const taskPolicy = `case when exists (select 1 from store_migration where number >= 18) then on_delete
  else coalesce((select policy.on_delete from deletion_policy policy where policy.on_delete <> 'purge'), on_delete) end`;

// The loss of a sign-in belongs to the sign-in of the last attempt, which the claim replaces.
const claimStatement = (excludesRejected: boolean): string => `
with clock as materialized (select store_now() as t),
next as (
  select task_id from fleet_task where ${dueCondition(excludesRejected ? '$5' : undefined)}
  order by due_at limit 1 for update skip locked
)
update fleet_task set fence = fence + 1, claimed_seq = change_seq, attempts = attempts + 1, worker = $2, session = $3,
  problem = case when ${hasLoss} then null else problem end,
  lease_until = t + make_interval(secs => $4::float8 / 1000), due_at = t + make_interval(secs => $4::float8 / 1000)
from clock, next where fleet_task.task_id = next.task_id
returning fleet_task.task_id as "taskId", kind, subject, label, ${taskPolicy} as "onDelete", fence, attempts`;

async function isDue(db: Queries, { kind, excludedFor }: Claim): Promise<boolean> {
  const [row] = await db.query<{ due: boolean }>(
    `with clock as materialized (select store_now() as t)
     select exists (select 1 from fleet_task where ${dueCondition(excludedFor === undefined ? undefined : '$2')}) as due`,
    [kind, ...(excludedFor === undefined ? [] : [excludedFor])],
  );
  return row?.due ?? false;
}

/** Ends the transaction without a change. */
class NothingDue extends Error {
  override readonly name = 'NothingDue';
}

/**
 * Takes a request from the budget and claims a task in one transaction. A request that is taken without a
 * task would be lost, and a task that waits for the budget would lose its lease.
 */
export async function claim(db: Postgres, wanted: Claim): Promise<Claimed> {
  const { kind, worker, session, leaseMilliseconds, budget, prepays, excludedFor } = wanted;
  const { takeBudget } = await import('../../store/index.ts');
  try {
    return await db.transaction(async (transaction) => {
      if (!prepays) await transaction.script('savepoint checked');
      const taken = await takeBudget(transaction, budget.owner, budget.group);
      if (taken.wait > 0)
        return (await isDue(transaction, wanted)) ? { waitMilliseconds: taken.wait } : undefined;
      if (!prepays) await transaction.script('rollback to savepoint checked');
      const [task] = await transaction.query<ClaimedTask>(claimStatement(excludedFor !== undefined), [
        kind,
        worker,
        session,
        leaseMilliseconds,
        ...(excludedFor === undefined ? [] : [excludedFor]),
      ]);
      if (!task) throw new NothingDue();
      return { task, taken: prepays ? taken : undefined };
    });
  } catch (error) {
    if (error instanceof NothingDue) return undefined;
    throw error;
  }
}

/**
 * Checks in a transaction that stores data that the task still belongs to the worker. Until the commit, no
 * other worker can claim the task.
 * @throws {FencedError}
 */
export function guardOf({ taskId, fence, label }: ClaimedTask): (transaction: Queries) => Promise<void> {
  return async (transaction) => {
    const [row] = await transaction.query<{ own: boolean }>('select fleet_is_current($1, $2) as own', [
      taskId,
      fence,
    ]);
    if (!row?.own) throw new FencedError(label);
  };
}

/**
 * Extends the leases of a worker's tasks, unless the worker has released or finished them in the meantime. A task whose
 * data is being stored is locked, so no other worker can claim it.
 * @returns the tasks that the worker still has.
 */
export async function renewLeases(
  db: Queries,
  tasks: readonly ClaimedTask[],
  leaseMilliseconds: number,
): Promise<ReadonlySet<ClaimedTask>> {
  if (tasks.length === 0) return new Set();
  const ids = tasks.map(({ taskId }) => taskId);
  const fences = tasks.map(({ fence }) => fence);
  await db.run(
    `with clock as materialized (select store_now() + make_interval(secs => $3::float8 / 1000) as t), mine as (
       select task_id from fleet_task where (task_id, fence) in (select * from unnest($1::text[]::bigint[], $2::text[]::bigint[]))
       and worker is not null for update skip locked
     ) update fleet_task set lease_until = t, due_at = t from clock, mine where fleet_task.task_id = mine.task_id`,
    [ids, fences, leaseMilliseconds],
  );
  const rows = await db.query<{ taskId: number; fence: number }>(
    `select task_id as "taskId", fence from fleet_task where (task_id, fence) in (select * from unnest($1::text[]::bigint[], $2::text[]::bigint[]))`,
    [ids, fences],
  );
  const own = new Set(rows.map(({ taskId, fence }) => `${taskId} ${fence}`));
  return new Set(tasks.filter(({ taskId, fence }) => own.has(`${taskId} ${fence}`)));
}

/** Columns of a task that no worker has. */
export const free = `lease_until = '-infinity', worker = null`;

/**
 * Ends a successful task. It is due again after its interval, or immediately if a change was reported since
 * the claim.
 * @returns false if another worker has claimed it.
 */
export async function finishTask(db: Queries, { taskId, fence }: ClaimedTask): Promise<boolean> {
  const changed = await db.run(
    `with clock as materialized (select store_now() as t)
     update fleet_task set ${free}, attempts = 0, problem = null, done_at = t, runs = runs + 1,
       due_at = case when change_seq > claimed_seq then t else t + make_interval(secs => every_seconds) end
     from clock where task_id = $1 and fence = $2`,
    [taskId, fence],
  );
  return changed === 1;
}

/**
 * Ends a failed attempt. If the user has retried the task since the claim, which sets `attempts` to 0, the task is due
 * immediately, because the attempt may have begun before the user fixed the cause.
 * @param next milliseconds until the next attempt, or `failed` if the task needs a change by the user.
 */
export async function failTask(
  db: Queries,
  { taskId, fence }: ClaimedTask,
  problem: string,
  next: number | 'failed',
): Promise<void> {
  const isFinal = next === 'failed';
  await db.run(
    `update fleet_task set ${free}, problem = $3, state = case when $4 and state = 'active' and attempts > 0 then 'failed' else state end,
       due_at = store_now() + make_interval(secs => case when attempts > 0 then $5::float8 / 1000 else 0 end) where task_id = $1 and fence = $2`,
    [taskId, fence, problem, isFinal, isFinal ? 0 : next],
  );
}

/**
 * Releases a task whose attempt was not completed, so that another worker can claim it immediately.
 * @param problem why the sign-in cannot execute the task; undefined keeps the problem of the task.
 */
export async function releaseTask(
  db: Queries,
  { taskId, fence }: ClaimedTask,
  problem?: string,
): Promise<void> {
  await db.run(
    `update fleet_task set ${free}, attempts = greatest(attempts - 1, 0), due_at = store_now(), problem = coalesce($3, problem)
     where task_id = $1 and fence = $2`,
    [taskId, fence, problem ?? null],
  );
}

/** Counts a reply that was not stored, because another worker had taken over the task. */
export async function countFenced(db: Queries, { taskId }: ClaimedTask): Promise<void> {
  await db.run('update fleet_task set fenced = fenced + 1 where task_id = $1', [taskId]);
}

/** Seconds that no lease, and no delay after a failure, exceeds. */
const longestDelaySeconds = 600;

/** Whether a worker has the task at the time `t`. A lease that ends later comes from a clock that was set back. */
export const isLeased = `(lease_until > t and lease_until <= t + make_interval(secs => ${longestDelaySeconds} + 60))`;

/**
 * Whether the due time of a task is later than its interval permits at the time `t`, because the clock of the store was
 * ahead, or another server has taken over. Only a lease and a failure delay a task regardless of its interval.
 */
export const isDelayed = `(state = 'active' and due_at > t + make_interval(secs => 60 + case when worker is not null then ${longestDelaySeconds}
  when problem is not null then greatest(every_seconds, ${longestDelaySeconds}) else every_seconds end))`;

/**
 * Makes tasks due whose due time is too late. A task whose data is being stored is locked, and its worker still extends
 * its lease.
 */
export async function repairDueTimes(db: Queries): Promise<void> {
  await db.run(
    `with clock as materialized (select store_now() as t), late as (
       select task_id from fleet_task, clock where ${isDelayed} for update of fleet_task skip locked
     ) update fleet_task set due_at = t from clock, late where fleet_task.task_id = late.task_id`,
  );
}
