import type { Id } from '../../../contract/common.ts';
import { eventNames, filterTails, isEventName, type EventName } from './names.ts';

export interface Filters {
  readonly filters: readonly string[];
  /** What is wrong with the words of the user, in words. */
  readonly problems: readonly string[];
}

export interface FilterScope {
  /** Ids of the watched extensions; `~` for one's own. */
  readonly extensions: readonly Id[];
  /** Seconds the subscription will live, where known: bounds reminders. */
  readonly lifetimeSeconds?: number | undefined;
}

const account = '/restapi/v1.0/account/~';

/**
 * Splits `--events` values at commas. The comma of `reminder:THRESHOLD,INTERVAL` and commas inside a raw path belong to their word.
 */
export function splitEvents(values: readonly string[]): readonly string[] {
  const words: string[] = [];
  for (const part of values.flatMap((value) => value.split(',')).map((part) => part.trim())) {
    const last = words.at(-1);
    const reminderGoesOn = last !== undefined && /^reminder:\d+$/.test(last) && /^\d+$/.test(part);
    const pathGoesOn = last?.startsWith('/') === true && !startsWord(part);
    if (last !== undefined && (reminderGoesOn || pathGoesOn)) words[words.length - 1] = `${last},${part}`;
    else if (part !== '') words.push(part);
  }
  return words;
}

function startsWord(part: string): boolean {
  return part.startsWith('/') || part.startsWith('reminder:') || isEventName(part.toLowerCase());
}

/** The service's filters for short names, reminders and raw paths, each once. */
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
  if (word.startsWith('/restapi/')) return { filters: [word], problems: [] };
  if (name.startsWith('reminder')) return reminder(name, scope.lifetimeSeconds);
  const known = [...eventNames, 'reminder:THRESHOLD,INTERVAL'].join(', ');
  return {
    filters: [],
    problems: [`"${word}" is no event; known: ${known}, or a path that starts with /restapi/`],
  };
}

function pathsOf(name: EventName, scope: FilterScope): readonly string[] {
  if (name === 'extensions') return [account + filterTails.extensions];
  return scope.extensions.map((id) => `${account}/extension/${id}${filterTails[name]}`);
}

/** Bounds of reminders (EVENT-13 to EVENT-15), checked before anything is sent. */
function reminder(word: string, lifetimeSeconds: number | undefined): Filters {
  const match = /^reminder:(\d+),(\d+)$/.exec(word);
  if (!match) {
    return {
      filters: [],
      problems: [`"${word}" is no reminder; write reminder:THRESHOLD,INTERVAL in seconds`],
    };
  }
  const [threshold, interval] = [Number(match[1]), Number(match[2])];
  const problems: string[] = [];
  if (threshold < 1 || interval < 1)
    problems.push('threshold and interval of a reminder are at least 1 second');
  if (interval > threshold / 2) {
    problems.push(`the reminder's interval ${interval} s is more than half of its threshold ${threshold} s`);
  }
  if (lifetimeSeconds !== undefined && threshold > lifetimeSeconds / 2) {
    problems.push(
      `the reminder's threshold ${threshold} s is more than half of the subscription's ${lifetimeSeconds} s`,
    );
  }
  return {
    filters:
      problems.length > 0 ? [] : [`/restapi/v1.0/subscription/~?threshold=${threshold}&interval=${interval}`],
    problems,
  };
}
