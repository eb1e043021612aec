import type { Subscription } from '../../../contract/subscription.ts';
import { eventSubject } from '../notification/describe.ts';

/**
 * How the filters in effect differ from those asked for (SUBSCRIPTION-7), a sentence each.
 * An id in the place of `~` is no difference.
 */
export function filterWarnings(asked: readonly string[], subscription: Subscription): readonly string[] {
  const { eventFilters, disabledFilters = [] } = subscription;
  // A reply may lack the filters: then nothing is known of them.
  const expected = eventFilters.length === 0 ? [] : asked;
  const missing = expected.filter((filter) => !eventFilters.some((one) => isSame(filter, one)));
  const added = eventFilters.filter((filter) => !asked.some((one) => isSame(one, filter)));
  return [
    ...missing.map((filter) => `the service does not watch ${filter}, which was asked for`),
    ...added.map((filter) => `the service watches ${filter}, which was not asked for`),
    ...disabledFilters.map((one: Partial<(typeof disabledFilters)[number]>) => disabledWarning(one)),
  ];
}

function disabledWarning({ filter, reason }: { readonly filter?: string; readonly reason?: string }): string {
  const what = filter === undefined ? 'an event filter' : `${eventSubject(filter).name} (${filter})`;
  return `the service has disabled ${what}${reason === undefined ? '' : `: ${reason}`}`;
}

function isSame(asked: string, effective: string): boolean {
  const [a = '', queryA] = asked.split('?', 2);
  const [b = '', queryB] = effective.split('?', 2);
  if (sorted(queryA) !== sorted(queryB)) return false;
  const [left, right] = [a.split('/'), b.split('/')];
  return left.length === right.length && left.every((part, index) => part === '~' || part === right[index]);
}

function sorted(query: string | undefined): string {
  const parameters = new URLSearchParams(query);
  parameters.sort();
  return parameters.toString();
}
