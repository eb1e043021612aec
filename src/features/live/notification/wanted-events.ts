import { usageError } from '../../../errors/command.ts';
import { splitEvents } from './filters.ts';
import { eventNames, isEventName } from './event-kinds.ts';

/** Names of received events that are not names of filters. */
const otherNames = ['reminder', 'encrypted'];

/** Parses `--events` of `events list`: names or paths. @throws {CommandError} `usage` for a name that no event has. */
export function wantedEvents(values: readonly string[]): readonly string[] {
  return splitEvents(values).map((word) => {
    const name = word.toLowerCase();
    if (word.startsWith('/')) return word;
    if (isEventName(name) || otherNames.includes(name) || /^reminder:\d+,\d+$/.test(name)) return name;
    throw usageError(
      `--events: "${word}" is not a valid event`,
      `use one of: ${[...eventNames, ...otherNames].join(', ')}, or the path of a filter`,
    );
  });
}
