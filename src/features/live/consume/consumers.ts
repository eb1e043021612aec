import { CommandError, Exit, notFoundError, usageError } from '../../../errors/command.ts';
import { nextStep, ucctl } from '../../../errors/hint.ts';
import type { ConsumerStatus } from '../../../store/event-log.ts';
import type { PostgresEventLog } from '../log/postgres-event-log.ts';

/**
 * Checks the name of a consumer. Programs can use the same name for a consumer of a JetStream stream, which must not contain
 * a period, a space or a wildcard.
 * @throws {CommandError} `usage`.
 */
export function checkConsumer(name: string): void {
  if (/^[A-Za-z0-9_-]{1,64}$/.test(name)) return;
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  throw usageError(
    `"${shown}" is not a valid consumer name`,
    'use 1 to 64 of these characters: A-Z a-z 0-9 - _',
  );
}

/** Returns the consumers with these names, or all. @throws {CommandError} `not_found` (exit 3). */
export async function consumersOf(
  log: PostgresEventLog,
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
  log: PostgresEventLog,
  name: string,
  { start, receiver }: Required<Parameters<PostgresEventLog['addConsumer']>[1]>,
): Promise<boolean> {
  const find = async () => (await log.consumers()).find((one) => one.name === name);
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
