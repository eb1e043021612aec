import { CommandError, Exit, notFoundError, usageError } from '../../../errors/command.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { ConsumerStatus, EventLog } from '../../../store/event-log.ts';

/** Whether a receiver has events with all of these keys. */
export async function hasAllKeys(db: Postgres, receiver: string, keys: readonly string[]): Promise<boolean> {
  const [row] = await db.query<{ found: number }>(
    'select count(*) as found from event where receiver = $1 and key = any($2)',
    [receiver, keys],
  );
  return row?.found === new Set(keys).size;
}

/** Checks the name of a consumer. @throws {CommandError} `usage`. */
function checkConsumer(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name)) return name;
  throw usageError(`"${name}" is not a valid consumer name`, 'use up to 64 letters, digits and - . _');
}

/** Returns the consumers with these names, or all. @throws {CommandError} `not_found` (exit 3). */
export async function consumersOf(
  log: EventLog,
  names: readonly string[],
): Promise<readonly ConsumerStatus[]> {
  const all = await log.consumers();
  const unknown = names.find((name) => !all.some((one) => one.name === name));
  if (unknown !== undefined)
    throw notFoundError(
      `consumer "${unknown}" not found`,
      nextStep`to list all consumers: ${ucctl('events consumers')}`,
    );
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
}

/**
 * Creates the consumer, unless it exists.
 * @returns whether it is new.
 * @throws {CommandError} `consumer_differs` (exit 11) if it exists with another receiver.
 */
export async function requireConsumer(
  log: EventLog,
  name: string,
  { start, receiver }: Required<Parameters<EventLog['addConsumer']>[1]>,
): Promise<boolean> {
  const find = async () => (await log.consumers()).find((one) => one.name === checkConsumer(name));
  const before = await find();
  if (!before) await log.addConsumer(name, { start, receiver });
  const found = before ?? (await find());
  if (receiver !== undefined && found && found.receiver !== receiver)
    throw new CommandError(
      'consumer_differs',
      Exit.conflict,
      `consumer "${name}" receives the events of ${found.receiver === undefined ? 'all receivers' : `receiver "${found.receiver}"`}`,
      { hint: 'omit --receiver, or use another name for the consumer' },
    );
  return !before;
}
