import type { Subscription } from '../../../contract/subscription.ts';
import { eventSubject } from '../notification/notification.rows.ts';

/** Warns about filters in effect that differ from the requested filters, unless the same warning was shown before. */
export class FilterReport {
  readonly #warn: (text: string) => void;
  #reported: ReadonlySet<string> = new Set();

  constructor(warn: (text: string) => void) {
    this.#warn = warn;
  }

  report(requested: readonly string[], subscription: Subscription): void {
    const warnings = filterWarnings(requested, subscription);
    for (const warning of warnings) if (!this.#reported.has(warning)) this.#warn(warning);
    this.#reported = new Set(warnings);
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
  const missing = differences(expected, allFilters(subscription)).missing;
  const { added } = differences(requested, eventFilters);
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
  const { missing, added } = differences(requested, allFilters(subscription));
  return missing.length === 0 && added.length === 0;
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

interface Differences {
  /** The requested filters without a filter in effect. */
  readonly missing: readonly string[];
  /** The filters in effect that were not requested. */
  readonly added: readonly string[];
}

/**
 * Compares the filters in time proportional to their number, because a subscription can have thousands of filters. `~` in
 * a requested filter equals every ID.
 */
function differences(requested: readonly string[], effective: readonly string[]): Differences {
  const wanted = requested.map((filter) => ({ filter, key: normalized(filter) }));
  const wantedKeys = new Set(wanted.map(({ key }) => key));
  const places = placesOfOwn(requested);
  const reported = effective.map((filter) => ({
    filter,
    keys: places.map((own) => normalized(filter, own)),
  }));
  const reportedKeys = new Set(reported.flatMap(({ keys }) => keys));
  return {
    missing: wanted.filter(({ key }) => !reportedKeys.has(key)).map(({ filter }) => filter),
    added: reported
      .filter(({ keys }) => !keys.some((key) => wantedKeys.has(key)))
      .map(({ filter }) => filter),
  };
}

/** Returns the different sets of places at which the path of a filter has `~`. */
function placesOfOwn(filters: readonly string[]): readonly ReadonlySet<number>[] {
  const all = filters.map((filter) => {
    const parts = pathOf(filter).split('/');
    return new Set(parts.flatMap((part, index) => (part === '~' ? index : [])));
  });
  return [...new Map(all.map((places) => [[...places].join(','), places])).values()];
}

/** Returns a filter with `~` at the places `own` of its path, and with its parameters in alphabetical order. */
function normalized(filter: string, own: ReadonlySet<number> = new Set()): string {
  const path = pathOf(filter).split('/');
  const parameters = new URLSearchParams(filter.split('?', 2)[1]);
  parameters.sort();
  return `${path.map((part, index) => (own.has(index) ? '~' : part)).join('/')}?${parameters.toString()}`;
}

function pathOf(filter: string): string {
  return filter.split('?', 1)[0] ?? '';
}
