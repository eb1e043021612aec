import { zoneOffset } from '../platform/moment.ts';
import { usageError } from '../errors/command.ts';

/** @throws {CommandError} `usage` for what is no time zone. */
export function checkZone(zone: string): void {
  try {
    zoneOffset(0, zone);
  } catch {
    throw usageError(`there is no time zone "${zone}"`, 'a name such as Europe/Paris');
  }
}
