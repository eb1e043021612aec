import type { Sandbox } from '../../src/sandbox/index.ts';
import type { Postgres } from '../../src/store/index.ts';

/**
 * Makes each write of a worker record the fence of the worker and the fence of the task, in the transaction of the
 * write.
 * @param isFenced false for a control: the check of the fence then always succeeds.
 */
export async function recordWrites(db: Postgres, isFenced: boolean): Promise<void> {
  await db.script(`create table if not exists proof_write (id bigint generated always as identity, task bigint, given bigint, current bigint);
    truncate proof_write;
    create or replace function fleet_is_current(bigint, bigint) returns boolean language plpgsql as $$
    declare present bigint;
    begin
      select fence into present from fleet_task where task_id = $1 for no key update;
      insert into proof_write (task, given, current) values ($1, $2, present);
      return ${isFenced ? 'present = $2' : 'true'};
    end $$`);
}

/** Counts of the writes since `recordWrites`. */
export interface Writes {
  readonly all: number;
  /** Writes of a worker whose task another worker had claimed. */
  readonly late: number;
  /** Replies that were discarded. */
  readonly fenced: number;
}

export async function writesOf(db: Postgres): Promise<Writes> {
  const [row] = await db.query<Writes>(
    `select count(*) as all, count(*) filter (where given <> current) as late,
       (select sum(fenced)::bigint from fleet_task) as fenced from proof_write`,
  );
  return row ?? { all: 0, late: -1, fenced: 0 };
}

/** Differences between the store and the service. */
export interface Compared {
  readonly lost: number;
  readonly doubled: number;
  /** Messages that are equal. */
  readonly compared: number;
}

/** Compares every mailbox of the store with the service, row by row, and the change feed with the rows. */
export async function compareMailboxes(db: Postgres, sandbox: Sandbox): Promise<Compared> {
  const rows = await db.query<{ mailbox: string; id: string; status: string | null }>(
    'select extension_id as mailbox, message_id as id, read_status as status from message',
  );
  const stored = new Map(rows.map(({ mailbox, id, status }) => [`${mailbox} ${id}`, status]));
  const mailboxes = await db.query<{ id: string }>('select extension_id as id from mailbox');
  let lost = 0;
  let compared = 0;
  for (const { id: mailbox } of mailboxes) {
    const alive = sandbox.messages(Number(mailbox)).filter(({ availability }) => availability === 'Alive');
    for (const { id, readStatus } of alive) {
      const key = `${mailbox} ${String(id)}`;
      if (stored.has(key) && stored.get(key) === (readStatus ?? null)) compared += 1;
      else lost += 1;
      stored.delete(key);
    }
  }
  const twice = await db.query(
    `select 1 from message_change where change = 'added' group by extension_id, message_id having count(*) > 1`,
  );
  return { lost, compared, doubled: stored.size + twice.length };
}
