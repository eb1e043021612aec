import { zoneOffset } from '../platform/moment.ts';
import { usageError } from '../errors/command.ts';

/** @throws {CommandError} `usage` for an unknown time zone. */
export function checkZone(zone: string): void {
  try {
    zoneOffset(0, zone);
  } catch {
    throw usageError(`unknown time zone "${zone}"`, 'use a name such as Europe/Paris');
  }
}
