import type { Queries } from '../../../platform/postgres/postgres.ts';
import { seenWithin } from '../../../platform/postgres/seen-within.ts';

/** A process of a receiver. */
export interface ReceiverProcess {
  readonly process: string;
  readonly machine: string;
  readonly pid: number;
  readonly version: string;
}

/** Seconds without a report after which a process counts as lost. */
export const lostSeconds = 10;

/** Whether a row of `receiver_process` belongs to a running process. */
export const isRunning = seenWithin(lostSeconds);

/** Records that the process is alive. */
export async function reportAlive(db: Queries, receiver: string, self: ReceiverProcess): Promise<void> {
  await db.run(
    `insert into receiver_process (receiver, process, machine, pid, version) values ($1, $2, $3, $4, $5)
     on conflict (receiver, process) do update set seen_at = store_now()`,
    [receiver, self.process, self.machine, self.pid, self.version],
  );
}

/** Returns the number of running processes of a receiver. */
export async function countRunning(db: Queries, receiver: string): Promise<number> {
  const [row] = await db.query<{ running: number }>(
    `select count(*) as running from receiver_process where receiver = $1 and ${isRunning}`,
    [receiver],
  );
  return row?.running ?? 0;
}

/**
 * Makes the owner recover missed events after processes ended without a report, and removes these processes. They may
 * have rejected events, or missed events while no other process ran.
 * @returns the new fence of the owner; undefined if another process has become the owner.
 */
export async function requestRecoveryAfterLoss(
  db: Queries,
  receiver: string,
  fence: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ fence: number }>(
    `with own as (update receiver set recovers = true, fence = fence + 1 where name = $1 and fence = $2 returning name, fence),
       removed as (delete from receiver_process using own where receiver = name and not ${isRunning})
     select fence from own`,
    [receiver, fence],
  );
  return row?.fence;
}
