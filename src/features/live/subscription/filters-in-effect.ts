import type { Subscription } from '../../../contract/subscription.ts';
import { eventSubject } from '../notification/notification.rows.ts';

/** Warns about filters in effect that differ from the requested filters, unless the same warning was shown before. */
export class FilterReport {
  readonly #warn: (text: string) => void;
  #reported: readonly string[] = [];

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  report(requested: readonly string[], subscription: Subscription): void {
    const warnings = filterWarnings(requested, subscription);
    for (const warning of warnings) if (!this.#reported.includes(warning)) this.#warn(warning);
    this.#reported = warnings;
  }
}

/**
 * Returns a warning for each difference between the filters in effect and the requested filters (SUBSCRIPTION-7). An ID
 * in place of `~` is not a difference.
 */
export function filterWarnings(requested: readonly string[], subscription: Subscription): readonly string[] {
  const { eventFilters, disabledFilters = [] } = subscription;
  // A reply without filters contains no information about the filters in effect.
  const expected = eventFilters.length === 0 ? [] : requested;
  const known = allFilters(subscription);
  const missing = expected.filter((filter) => !known.some((one) => isSame(filter, one)));
  const added = eventFilters.filter((filter) => !requested.some((one) => isSame(one, filter)));
  return [
    ...missing.map(
      (filter) => `the service does not deliver ${filter}, although ucctl requested these events`,
    ),
    ...added.map((filter) => `the service delivers ${filter}, although ucctl did not request these events`),
    ...disabledFilters.map((one: Partial<(typeof disabledFilters)[number]>) => disabledWarning(one)),
  ];
}

/**
 * Whether the service reports exactly the requested filters for a subscription. The result is false if the service reports
 * no filters, because the filters in effect are then unknown.
 */
export function haveSameFilters(requested: readonly string[], subscription: Subscription): boolean {
  const known = allFilters(subscription);
  return (
    requested.every((filter) => known.some((one) => isSame(filter, one))) &&
    known.every((one) => requested.some((filter) => isSame(filter, one)))
  );
}

/** Returns the filters of a subscription, including those that the service has disabled and lists separately. */
export function allFilters({
  eventFilters,
  disabledFilters = [],
}: Pick<Subscription, 'eventFilters' | 'disabledFilters'>): readonly string[] {
  // The members of a disabled filter may be missing.
  const disabled = disabledFilters.flatMap((one: { readonly filter?: string }) => one.filter ?? []);
  return [...new Set([...eventFilters, ...disabled])];
}

/** Returns a warning if the service does not encrypt events whose encryption was requested (CURRENT-11). */
export function encryptionWarnings(
  isRequested: boolean,
  { deliveryMode }: Pick<Subscription, 'deliveryMode'>,
): readonly string[] {
  const isEncrypted = deliveryMode.encryption === true || deliveryMode.encryptionKey !== undefined;
  if (!isRequested || isEncrypted) return [];
  return [
    'the service does not encrypt the events of this subscription, although ucctl requested encryption',
  ];
}

function disabledWarning({ filter, reason }: { readonly filter?: string; readonly reason?: string }): string {
  const what = filter === undefined ? 'an event filter' : `${eventSubject(filter).name} (${filter})`;
  return `the service has disabled ${what}${reason === undefined ? '' : `: ${reason}`}`;
}

function isSame(requested: string, effective: string): boolean {
  const [a = '', queryA] = requested.split('?', 2);
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
