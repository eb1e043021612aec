import { zoneProblem } from '../platform/time-zone.ts';
import { usageError } from '../errors/command.ts';

/** @throws {CommandError} `usage` for a text that is not the full name of a time zone. */
export function checkZone(zone: string): void {
  const problem = zoneProblem(zone);
  if (problem !== undefined) throw usageError(problem, 'use UTC or a name such as Europe/Paris');
}
