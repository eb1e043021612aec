import type { Queries } from '../../platform/postgres/postgres.ts';
import type { TaskKind } from './tasks.ts';

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

/**
 * Reports the changes of marked tasks, except those whose data is still being stored. Usually there are no marks, and a
 * cheap query shows this.
 */
export async function applyMarks(db: Queries): Promise<void> {
  const [found] = await db.query<{ some: boolean }>('select exists (select 1 from fleet_mark) as some');
  if (!found?.some) return;
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
