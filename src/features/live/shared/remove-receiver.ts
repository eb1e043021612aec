import type { Postgres } from '../../../platform/postgres/postgres.ts';
import { CommandError, Exit } from '../../../errors/command.ts';
import { counted } from '../../../platform/counted.ts';
import { countRunning, lostSeconds } from './process-table.ts';

/**
 * Deletes a receiver with its events and the deliveries of these events. Consumers stay.
 * @returns the number of deleted events.
 * @throws {CommandError} `receiver_runs` (exit 11) if a process of the receiver is running.
 */
export async function removeReceiver(db: Postgres, name: string): Promise<number> {
  return db.transaction(async (transaction) => {
    // A process that starts now waits until the receiver is deleted, and then creates it again.
    await transaction.query('select 1 from receiver where name = $1 for update', [name]);
    const running = await countRunning(transaction, name);
    if (running > 0)
      throw new CommandError(
        'receiver_runs',
        Exit.conflict,
        `receiver "${name}" has ${counted(running, 'running process', 'running processes')}`,
        { hint: `stop these processes, and repeat the command after ${lostSeconds} s` },
      );
    await transaction.run(
      'delete from event_delivery where event_id in (select id from event where receiver = $1)',
      [name],
    );
    const events = await transaction.run('delete from event where receiver = $1', [name]);
    await transaction.run('delete from receiver where name = $1', [name]);
    return events;
  });
}
