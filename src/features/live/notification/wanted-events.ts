import { usageError } from '../../../errors/command.ts';
import { splitEvents } from './filters.ts';
import { eventKinds, eventNames, isEventName } from './event-kinds.ts';

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

/** The word that every presence event contains. */
export const presenceWord = 'presence';

/**
 * Returns words of which every event with one of these names or paths contains at least one. Empty if the events cannot be
 * recognized by a word. A word has no character that JSON must or may escape, except as a code.
 */
export function wordsOf(wanted: readonly string[]): readonly string[] {
  const words = wanted.map(wordOf);
  return words.every((word) => word !== undefined) ? [...new Set(words)] : [];
}

function wordOf(wanted: string): string | undefined {
  if (wanted.startsWith('reminder')) return 'threshold';
  if (wanted === 'encrypted') return undefined;
  const path = isEventName(wanted) ? eventKinds[wanted].path : wanted;
  // The description of a presence event depends on earlier presence events, also of another kind.
  if (path.includes(presenceWord)) return presenceWord;
  return path.match(/[\w-]+/g)?.reduce((longest, word) => (word.length > longest.length ? word : longest));
}
