import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import type { FleetTake } from '../../client/rate-limiter.ts';
import type { OnDelete } from '../../store/reply.ts';
import { FencedError } from './task-errors.ts';

/** The data that a task copies. */
export type TaskKind = 'messages' | 'calls' | 'media';

export const taskKinds: readonly TaskKind[] = ['messages', 'calls', 'media'];

/** A task to enroll. */
export interface NewTask {
  readonly kind: TaskKind;
  /** The id of the extension, or `account` for the call log. */
  readonly subject: string;
  /** The name of the mailbox for people. */
  readonly label: string;
}

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
}

/**
 * The result of a claim: a task, the milliseconds until the budget allows a task, or nothing because no task
 * is due.
 */
export type Claimed =
  | { readonly task: ClaimedTask; readonly taken: FleetTake | undefined }
  | { readonly waitMilliseconds: number }
  | undefined;

/**
 * Creates tasks, or changes existing tasks without changing their progress. @returns the number of new tasks.
 */
export async function enroll(
  db: Postgres,
  tasks: readonly NewTask[],
  { everySeconds, onDelete }: { readonly everySeconds: number; readonly onDelete: OnDelete },
): Promise<number> {
  const [row] = await db.query<{ added: number }>(
    `with given as (
       insert into fleet_task as known (kind, subject, label, every_seconds, on_delete)
       select kind, subject, label, $4, $5 from unnest($1::text[], $2::text[], $3::text[]) as given (kind, subject, label)
       on conflict (kind, subject) do update set label = excluded.label, every_seconds = excluded.every_seconds, on_delete = excluded.on_delete
       returning xmax = 0 as is_new
     ) select count(*) filter (where is_new) as added from given`,
    [
      tasks.map(({ kind }) => kind),
      tasks.map(({ subject }) => subject),
      tasks.map(({ label }) => label),
      everySeconds,
      onDelete,
    ],
  );
  return row?.added ?? 0;
}

/** Deletes tasks, but not the copied data. @returns their number. */
export async function unenroll(
  db: Queries,
  kinds: readonly TaskKind[],
  subjects: readonly string[],
): Promise<number> {
  return db.run('delete from fleet_task where kind = any($1) and subject = any($2)', [kinds, subjects]);
}

const claimStatement = `
with clock as materialized (select store_now() as t),
next as (
  select task_id from fleet_task where kind = $1 and state = 'active' and due_at <= (select t from clock)
  order by due_at limit 1 for update skip locked
)
update fleet_task set fence = fence + 1, claimed_seq = change_seq, attempts = attempts + 1, worker = $2, session = $3,
  lease_until = t + make_interval(secs => $4::float8 / 1000), due_at = t + make_interval(secs => $4::float8 / 1000)
from clock, next where fleet_task.task_id = next.task_id
returning fleet_task.task_id as "taskId", kind, subject, label, on_delete as "onDelete", fence, attempts`;

/** Ends the transaction without a change. */
class NothingDue extends Error {
  override readonly name = 'NothingDue';
}

/**
 * Takes a request from the budget and claims a task in one transaction. A request that is taken without a
 * task would be lost, and a task that waits for the budget would lose its lease.
 */
export async function claim(db: Postgres, wanted: Claim): Promise<Claimed> {
  const { kind, worker, session, leaseMilliseconds, budget, prepays } = wanted;
  const { takeBudget } = await import('../../store/index.ts');
  try {
    return await db.transaction(async (transaction) => {
      if (!prepays) await transaction.script('savepoint checked');
      const taken = await takeBudget(transaction, budget.owner, budget.group);
      if (taken.wait > 0) return { waitMilliseconds: taken.wait };
      if (!prepays) await transaction.script('rollback to savepoint checked');
      const [task] = await transaction.query<ClaimedTask>(claimStatement, [
        kind,
        worker,
        session,
        leaseMilliseconds,
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
  db: Postgres,
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

const free = `lease_until = '-infinity', worker = null`;

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
 * Ends a failed attempt.
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
    `update fleet_task set ${free}, problem = $3, state = case when $4 and state = 'active' then 'failed' else state end,
       due_at = store_now() + make_interval(secs => $5::float8 / 1000) where task_id = $1 and fence = $2`,
    [taskId, fence, problem, isFinal, isFinal ? 0 : next],
  );
}

/** Releases a task whose attempt was not completed, so that another worker can claim it immediately. */
export async function releaseTask(db: Queries, { taskId, fence }: ClaimedTask): Promise<void> {
  await db.run(
    `update fleet_task set ${free}, attempts = greatest(attempts - 1, 0), due_at = store_now() where task_id = $1 and fence = $2`,
    [taskId, fence],
  );
}

/** Counts a reply that was not stored, because another worker had taken over the task. */
export async function countFenced(db: Queries, { taskId }: ClaimedTask): Promise<void> {
  await db.run('update fleet_task set fenced = fenced + 1 where task_id = $1', [taskId]);
}

const changedNow = `change_seq = change_seq + 1, due_at = case when lease_until > t then due_at else least(due_at, t) end`;

/**
 * Reports a change: the tasks become due, and a task that runs becomes due again when it ends.
 * @returns their number.
 */
export async function markChanged(
  db: Queries,
  kinds: readonly TaskKind[],
  subjects: readonly string[],
): Promise<number> {
  return db.run(
    `with clock as materialized (select store_now() as t)
     update fleet_task set ${changedNow} from clock where kind = any($1) and subject = any($2)`,
    [kinds, subjects],
  );
}

/**
 * Common table expressions that report changes like `markChanged`, in a statement that must not wait. A task whose data
 * is being stored gets a mark, which `applyMarks` reports.
 * @param subjects a subquery with one column.
 */
export function changeReport(kind: TaskKind, subjects: string): string {
  return `clock as materialized (select store_now() as t),
     wanted as materialized (select task_id from fleet_task where kind = '${kind}' and subject = any(array(${subjects}))),
     free as materialized (
       select task_id from fleet_task where task_id in (select task_id from wanted) order by task_id for update skip locked
     ), changed as (
       update fleet_task set ${changedNow} from clock, free where fleet_task.task_id = free.task_id
     ), marked as (
       insert into fleet_mark (task_id) select task_id from wanted except select task_id from free
     )`;
}

/** Reports changes without waiting for workers. */
export async function reportChanged(db: Queries, kind: TaskKind, subjects: readonly string[]): Promise<void> {
  await db.run(`with ${changeReport(kind, 'select unnest($1::text[])')} select 1`, [subjects]);
}

/** Reports the changes of marked tasks, except those whose data is still being stored. */
export async function applyMarks(db: Queries): Promise<void> {
  await db.run(
    `with clock as materialized (select store_now() as t),
     free as materialized (
       select task_id from fleet_task where task_id in (select task_id from fleet_mark) order by task_id for update skip locked
     ), applied as (
       delete from fleet_mark where task_id in (select task_id from free)
         or not exists (select 1 from fleet_task where fleet_task.task_id = fleet_mark.task_id)
     ) update fleet_task set ${changedNow} from clock, free where fleet_task.task_id = free.task_id`,
  );
}

/** The tasks that a command changes: all, or those of some extensions. */
export interface TaskSelection {
  readonly kinds: readonly TaskKind[];
  /** Undefined: all. */
  readonly subjects: readonly string[] | undefined;
}

function where({ kinds, subjects }: TaskSelection): {
  readonly sql: string;
  readonly values: [readonly string[], readonly string[] | null];
} {
  return {
    sql: 'kind = any($1) and ($2::text[] is null or subject = any($2))',
    values: [kinds, subjects ?? null],
  };
}

/** Stops the claims of tasks. Tasks that run end normally. @returns the number of changed tasks. */
export async function pauseTasks(db: Queries, selection: TaskSelection): Promise<number> {
  const { sql, values } = where(selection);
  return db.run(`update fleet_task set state = 'paused' where ${sql} and state = 'active'`, values);
}

/** Allows the claims of paused tasks again. @returns the number of changed tasks. */
export async function resumeTasks(db: Queries, selection: TaskSelection): Promise<number> {
  const { sql, values } = where(selection);
  return db.run(`update fleet_task set state = 'active' where ${sql} and state = 'paused'`, values);
}

/**
 * Makes tasks due now: with `subjects`, all tasks of these subjects; otherwise the tasks that failed or wait
 * after a failure.
 * @returns the number of changed tasks.
 */
export async function retryTasks(db: Queries, selection: TaskSelection): Promise<number> {
  const { sql, values } = where(selection);
  const all = selection.subjects !== undefined;
  return db.run(
    `with clock as materialized (select store_now() as t)
     update fleet_task set state = case state when 'failed' then 'active' else state end, attempts = 0, change_seq = change_seq + 1,
       due_at = case when lease_until > t then due_at else least(due_at, t) end
     from clock where ${sql} and (state = 'failed' or (problem is not null and state = 'active') or ($3 and state = 'active'))`,
    [...values, all],
  );
}
