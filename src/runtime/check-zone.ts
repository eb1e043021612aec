import { usageError } from '../errors/command.ts';
import { zoneProblem } from '../platform/time-zone.ts';

/**
 * Returns the name of a time zone that the user chose.
 * @throws {CommandError} `usage` for a text that is not the full name of a time zone.
 */
export function checkZone(zone: string): string {
  const problem = zoneProblem(zone);
  if (problem !== undefined) throw usageError(problem, 'use UTC or a name such as Europe/Paris');
  return zone;
}
