import type { Id } from '../../../contract/common.ts';
import { eventKinds, eventNames, filterPath, isEventName, type EventName } from './event-kinds.ts';

export interface Filters {
  readonly filters: readonly string[];
  /** One message for each invalid event; empty if all events are valid. */
  readonly problems: readonly string[];
}

export interface FilterScope {
  /** IDs of the watched extensions; `~` for the signed-in user. */
  readonly extensions: readonly Id[];
  /** Lifetime of the subscription in seconds, if known. It limits the values of reminders. */
  readonly lifetimeSeconds?: number | undefined;
}

const account = '/restapi/v1.0/account/~';

/**
 * Splits `--events` values at commas, except for the comma of `reminder:THRESHOLD,INTERVAL` and commas inside a raw
 * path.
 */
export function splitEvents(values: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (const part of values.flatMap((value) => value.split(',')).map((part) => part.trim())) {
    const last = words.at(-1);
    const continuesReminder = last !== undefined && /^reminder:\d+$/.test(last) && /^\d+$/.test(part);
    const continuesPath = last?.startsWith('/') === true && !startsEvent(part);
    if (last !== undefined && (continuesReminder || continuesPath))
      words[words.length - 1] = `${last},${part}`;
    else if (part !== '') words.push(part);
  }
  return words;
}

function startsEvent(part: string): boolean {
  return part.startsWith('/') || part.startsWith('reminder:') || isEventName(part.toLowerCase());
}

/** Whether an event of `--events` is watched for the named extensions. Raw paths name their own extensions. */
export function usesExtensions(values: readonly string[]): boolean {
  return splitEvents(values).some((word) => {
    const name = word.toLowerCase();
    return isEventName(name) && eventKinds[name].owner === 'extension';
  });
}

/** Converts short names, reminders and raw paths to filters of the service, without duplicates. */
export function toFilters(values: readonly string[], scope: FilterScope): Filters {
  const results = splitEvents(values).map((word) => toFilter(word, scope));
  return {
    filters: [...new Set(results.flatMap((result) => result.filters))],
    problems: results.flatMap((result) => result.problems),
  };
}

function toFilter(word: string, scope: FilterScope): Filters {
  const name = word.toLowerCase();
  if (isEventName(name)) return { filters: pathsOf(name, scope), problems: [] };
  if (/^\/[\w~-]+\/./.test(word)) return { filters: [word], problems: [] };
  if (name.startsWith('reminder')) return reminder(name, scope.lifetimeSeconds);
  const known = [...eventNames, 'reminder:THRESHOLD,INTERVAL'].join(', ');
  return {
    filters: [],
    problems: [
      `"${word}" is not a valid event; use ${known}, or the path of a filter, such as /restapi/v1.0/account/~/presence`,
    ],
  };
}

function pathsOf(name: EventName, scope: FilterScope): readonly string[] {
  const extensions = eventKinds[name].owner === 'account' ? ['~'] : scope.extensions;
  return extensions.map((id) => filterPath(name, account, id));
}

/** Parses a reminder and checks its limits (EVENT-13 to EVENT-15). */
function reminder(word: string, lifetimeSeconds: number | undefined): Filters {
  const match = /^reminder:(\d+),(\d+)$/.exec(word);
  if (!match) {
    return {
      filters: [],
      problems: [`"${word}" is not a valid reminder; use reminder:THRESHOLD,INTERVAL with seconds`],
    };
  }
  const [threshold, interval] = [Number(match[1]), Number(match[2])];
  const problems: string[] = [];
  if (threshold < 1 || interval < 1)
    problems.push(`"${word}" is not a valid reminder; threshold and interval must be at least 1 second`);
  if (interval > threshold / 2) {
    problems.push(
      `the interval of a reminder (${interval} s) must not exceed half of its threshold (${threshold} s)`,
    );
  }
  if (lifetimeSeconds !== undefined && threshold > lifetimeSeconds / 2) {
    problems.push(
      `the threshold of a reminder (${threshold} s) must not exceed half of the subscription lifetime (${lifetimeSeconds} s)`,
    );
  }
  return {
    filters:
      problems.length > 0 ? [] : [`/restapi/v1.0/subscription/~?threshold=${threshold}&interval=${interval}`],
    problems,
  };
}
