import type { Postgres, Queries, Transaction } from '../../platform/postgres/postgres.ts';
import type { SqlParameter } from '../../platform/postgres/statement.ts';
import { failTask, free, releaseTask, type ClaimedTask } from './claims.ts';
import { where, type TaskKind, type TaskSelection } from './tasks.ts';
import { hasWorkerOwners, reportOwners, usableOwners } from './usable-owners.ts';

/** Days after which a sign-in may try a rejected task again. An administrator may have given it the permission meanwhile. */
const retainedDays = 7;

/** The tasks that the service rejected with one sign-in. */
export interface RejectionSummary {
  readonly owner: string;
  readonly tasks: number;
  /** The newest of them. */
  readonly kind: TaskKind;
  readonly label: string;
  readonly problem: string;
}

/** The sign-ins that the service rejected for tasks, as far as a worker must know them. */
export class Rejections {
  readonly #db: Postgres;
  #exist = false;

  constructor(db: Postgres) {
    this.#db = db;
  }

  /** Whether claims must exclude rejected tasks. May be outdated until the next `refresh`. */
  get exist(): boolean {
    return this.#exist;
  }

  /**
   * Makes failed tasks due that one of these sign-ins may try, and fails due tasks that no usable sign-in may try. Deletes old
   * rejections. A failed task keeps the newest, which shows that another sign-in may be able to execute it.
   * @param worker the worker that uses these sign-ins for tasks of these kinds
   * @param owners the names of the sign-ins in the rejections
   * @returns the number of tasks that failed. @throws {StoreError}
   */
  async refresh(worker: string, kinds: readonly TaskKind[], owners: readonly string[]): Promise<number> {
    const failed = await this.#db.transaction(async (transaction) => {
      const hasOthers = await reportOwners(transaction, worker, kinds, owners);
      const usable = 'unnest($2::text[]) as usable (owner)';
      await reviveTasks(transaction, `kind = any($1) and ${hasOther(usable, 'fleet_task.task_id')}`, [
        kinds,
        owners,
      ]);
      await transaction.run(
        `delete from fleet_rejection using fleet_task
         where fleet_task.task_id = fleet_rejection.task_id and not ${isRecent('fleet_rejection')} and (state <> 'failed' or exists (
           select 1 from fleet_rejection as newer where newer.task_id = fleet_rejection.task_id
             and (newer.at, newer.owner) > (fleet_rejection.at, fleet_rejection.owner)))`,
      );
      // A worker without a sign-in is about to exit, and does not know which sign-in the user will add.
      return owners.length > 0 ? failRejectedTasks(transaction, kinds, owners, hasOthers) : 0;
    });
    const [row] = await this.#db.query<{ found: boolean }>(
      'select exists (select 1 from fleet_rejection) as found',
    );
    this.#exist = row?.found ?? false;
    return failed;
  }

  /**
   * Ends an attempt that the service rejected: releases the task if another sign-in may be able to execute it.
   * @param owners the names of the worker's sign-ins in the rejections. @throws {StoreError}
   */
  async reject(
    task: ClaimedTask,
    owner: string,
    problem: string,
    owners: readonly string[],
  ): Promise<'released' | 'failed'> {
    this.#exist = true;
    return this.#db.transaction(async (transaction) => {
      // The user may have retried the task since the claim, which sets `attempts` to 0.
      const added = await transaction.run(
        `insert into fleet_rejection (task_id, owner, problem)
         select task_id, $3, $4 from fleet_task where task_id = $1 and fence = $2 and attempts > 0 for update
         on conflict (task_id, owner) do update set problem = excluded.problem, at = excluded.at`,
        [task.taskId, task.fence, owner, problem],
      );
      const kind = '(select kind from fleet_task where task_id = $1)';
      const usable = usableOwners('$2', kind, await hasWorkerOwners(transaction));
      const [row] = await transaction.query<{ other: boolean }>(`select ${hasOther(usable, '$1')} as other`, [
        task.taskId,
        owners,
      ]);
      const isReleased = added > 0 && (row?.other ?? false);
      if (isReleased) await releaseTask(transaction, task, problem);
      else await failTask(transaction, task, problem, 'failed');
      return isReleased ? 'released' : 'failed';
    });
  }
}

/**
 * Returns the name of a token in the rejections. Tokens of a user have the same name, so that a new token does not try the
 * rejected tasks again. If the service did not name the user, all such tokens have the same name.
 * @param extensionId the user
 */
export function rejectionOwnerOfToken(origin: string, extensionId: string | undefined): string {
  return extensionId === undefined ? `unknown user of ${origin}` : `user ${extensionId} of ${origin}`;
}

/** Returns the condition that the service did not recently reject a task with one of these owners. */
function hasOther(usable: string, task: string): string {
  return `exists (select 1 from ${usable} where not exists (
    select 1 from fleet_rejection as known where known.task_id = ${task} and known.owner = usable.owner and ${isRecent('known')}))`;
}

/** Returns the condition that a rejection still excludes its task. */
function isRecent(rejection: string): string {
  return `${rejection}.at >= store_now() - make_interval(days => ${retainedDays})`;
}

/**
 * Makes tasks due that failed because of a rejection. A task that failed for another reason stays failed.
 * @param condition which of these tasks
 */
async function reviveTasks(
  transaction: Queries,
  condition: string,
  values: readonly SqlParameter[],
): Promise<void> {
  await transaction.run(
    `with ready as (
       select task_id from fleet_task where state = 'failed' and ${condition}
         and exists (select 1 from fleet_rejection as known where known.task_id = fleet_task.task_id and known.problem = fleet_task.problem)
       order by task_id for update
     ) update fleet_task set state = 'active', due_at = store_now() from ready where fleet_task.task_id = ready.task_id`,
    values,
  );
}

/**
 * Fails the due tasks that no usable sign-in may try: workers exclude them from their claims, so they would stay due. The new
 * fence discards the data of a worker that has lost its lease.
 * @returns the number of these tasks.
 */
async function failRejectedTasks(
  transaction: Queries,
  kinds: readonly TaskKind[],
  owners: readonly string[],
  hasOthers: boolean,
): Promise<number> {
  return transaction.run(
    `with usable as materialized (
       select wanted.kind, usable.owner from unnest($1::text[]) as wanted (kind), lateral ${usableOwners('$2', 'wanted.kind', hasOthers)}
     ), rejected as (
       select task_id, (select problem from fleet_rejection as known where known.task_id = fleet_task.task_id order by at desc, owner limit 1) as reason
       from fleet_task where kind = any($1) and state = 'active' and due_at <= store_now()
         and exists (select 1 from fleet_rejection as known where known.task_id = fleet_task.task_id)
         and not ${hasOther('(select owner from usable as known where known.kind = fleet_task.kind) as usable', 'fleet_task.task_id')}
       order by task_id for update of fleet_task skip locked
     ) update fleet_task set ${free}, state = 'failed', problem = reason, fence = fence + 1 from rejected where fleet_task.task_id = rejected.task_id`,
    [kinds, owners],
  );
}

/** Returns the rejections of each sign-in. @throws {StoreError} */
export async function rejectionsOfSessions(db: Queries): Promise<ReadonlyMap<string, RejectionSummary>> {
  const rows = await db.query<RejectionSummary>(
    `select distinct on (owner) owner, count(*) over (partition by owner) as tasks, kind, label, fleet_rejection.problem
     from fleet_rejection join fleet_task using (task_id) order by owner, at desc, task_id`,
  );
  return new Map(rows.map((row) => [row.owner, row]));
}

/** Lets all sign-ins try tasks again. @throws {StoreError} */
export async function forgetRejections(db: Queries, selection: TaskSelection): Promise<void> {
  const { sql, values } = where(selection);
  await db.run(
    `delete from fleet_rejection using fleet_task where fleet_task.task_id = fleet_rejection.task_id and ${sql}`,
    values,
  );
}

/**
 * Allows the claims of paused tasks again. The service may have rejected a task in an attempt that was running when the
 * user paused it, so all sign-ins may try it again.
 * @returns the number of changed tasks. @throws {StoreError}
 */
export async function resumeTasks(db: Postgres, selection: TaskSelection): Promise<number> {
  const { sql, values } = where(selection);
  return db.transaction(async (transaction) => {
    // The update locks the tasks. An attempt that the service rejects later fails its task.
    const resumed = await transaction.query<{ taskId: number }>(
      `update fleet_task set state = 'active' where ${sql} and state = 'paused' returning task_id as "taskId"`,
      values,
    );
    await transaction.run('delete from fleet_rejection where task_id = any($1::bigint[])', [
      resumed.map(({ taskId }) => taskId),
    ]);
    return resumed.length;
  });
}

/**
 * Lets a sign-in try all tasks again, and makes those due that failed.
 * @param transaction in which the sign-in is added, so that a task never loses its rejections and stays failed. @throws {StoreError}
 */
export async function forgetRejectionsOf(transaction: Transaction, owner: string): Promise<void> {
  await reviveTasks(
    transaction,
    'exists (select 1 from fleet_rejection as own where own.task_id = fleet_task.task_id and own.owner = $1)',
    [owner],
  );
  await transaction.run('delete from fleet_rejection where owner = $1', [owner]);
}
