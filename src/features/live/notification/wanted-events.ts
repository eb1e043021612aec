import { usageError } from '../../../errors/command.ts';
import { splitEvents } from './filters.ts';
import { eventNames, isEventName } from './names.ts';

/** Events that were received and have no short name of a filter. */
const others = ['reminder', 'encrypted'];

/** Reads names that choose among received events, or paths. @throws {CommandError} `usage` for one that no event can have. */
export function wantedEvents(values: readonly string[]): readonly string[] {
  return splitEvents(values).map((word) => {
    const name = word.toLowerCase();
    if (word.startsWith('/')) return word;
    if (isEventName(name) || others.includes(name) || /^reminder:\d+,\d+$/.test(name)) return name;
    throw usageError(
      `--events: there is no event "${word}"`,
      `one of: ${[...eventNames, ...others].join(', ')}; or a path`,
    );
  });
}
