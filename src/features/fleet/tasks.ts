import type { Postgres, Queries } from '../../platform/postgres/postgres.ts';
import type { OnDelete } from '../../store/reply.ts';

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

/** The settings of enrolled tasks. */
export interface TaskSettings {
  readonly everySeconds: number;
  readonly onDelete: OnDelete;
  /** Whether existing tasks keep their policy. */
  readonly keepsPolicy?: boolean;
}

/**
 * Creates tasks, or changes existing tasks without changing their progress. A shorter interval also applies to the next run.
 * @returns the number of new tasks.
 */
export async function enroll(
  db: Postgres,
  tasks: readonly NewTask[],
  { everySeconds, onDelete, keepsPolicy = false }: TaskSettings,
): Promise<number> {
  const [row] = await db.query<{ added: number }>(
    `with clock as materialized (select store_now() as t), given as (
       insert into fleet_task as known (kind, subject, label, every_seconds, on_delete)
       select kind, subject, label, $4, $5 from unnest($1::text[], $2::text[], $3::text[]) as given (kind, subject, label)
       on conflict (kind, subject) do update set label = excluded.label, every_seconds = excluded.every_seconds, on_delete = case when $6 then known.on_delete else excluded.on_delete end,
         due_at = case when excluded.every_seconds < known.every_seconds and known.lease_until <= (select t from clock)
           then least(known.due_at, greatest((select t from clock), known.done_at + make_interval(secs => excluded.every_seconds))) else known.due_at end
       returning xmax = 0 as is_new
     ) select count(*) filter (where is_new) as added from given`,
    [
      tasks.map(({ kind }) => kind),
      tasks.map(({ subject }) => subject),
      tasks.map(({ label }) => label),
      everySeconds,
      onDelete,
      keepsPolicy,
    ],
  );
  return row?.added ?? 0;
}

/**
 * Deletes tasks, but not the copied data.
 * @param subjects undefined: all. @returns their number.
 */
export async function unenroll(
  db: Queries,
  kinds: readonly TaskKind[],
  subjects: readonly string[] | undefined,
): Promise<number> {
  const { sql, values } = where({ kinds, subjects });
  return db.run(`delete from fleet_task where ${sql}`, values);
}

/** Returns the subjects of the tasks of a mailbox, by its ID or the name that it had when it was enrolled. */
export async function subjectsNamed(db: Queries, name: string): Promise<readonly string[]> {
  const rows = await db.query<{ subject: string }>(
    "select distinct subject from fleet_task where kind <> 'calls' and (subject = $1 or label = $1) order by subject",
    [name],
  );
  return rows.map(({ subject }) => subject);
}

/** The tasks that a command changes: all, or those of some extensions. */
export interface TaskSelection {
  readonly kinds: readonly TaskKind[];
  /** `all` if the user named all, undefined if the user named none. Both select all tasks. */
  readonly subjects: readonly string[] | 'all' | undefined;
}

/** Returns the condition for the selected tasks, with two parameters. */
export function where({ kinds, subjects }: TaskSelection): {
  readonly sql: string;
  readonly values: [readonly string[], readonly string[] | null];
} {
  return {
    sql: 'kind = any($1) and ($2::text[] is null or subject = any($2))',
    values: [kinds, subjects === undefined || subjects === 'all' ? null : subjects],
  };
}

/** Stops the claims of tasks. Tasks that run end normally. @returns the number of changed tasks. */
export async function pauseTasks(db: Queries, selection: TaskSelection): Promise<number> {
  const { sql, values } = where(selection);
  return db.run(`update fleet_task set state = 'paused' where ${sql} and state = 'active'`, values);
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
