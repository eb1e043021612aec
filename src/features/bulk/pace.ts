import type { RateGroup } from '../../contract/enums.ts';
import { requestsPerMinute } from '../../contract/limits.ts';
import { plural } from '../../platform/counted.ts';

/** Number of requests in each usage group. */
export type RequestCounts = Partial<Readonly<Record<RateGroup, number>>>;

/** Returns the sum of two numbers of requests. */
export function addCounts(one: RequestCounts, other: RequestCounts): RequestCounts {
  const sum: Partial<Record<RateGroup, number>> = { ...one };
  for (const [group, count] of Object.entries(other) as [RateGroup, number][]) {
    sum[group] = (sum[group] ?? 0) + count;
  }
  return sum;
}

/**
 * Estimates how many seconds requests take under the service's rate limits (RATE-1 to RATE-6). Each usage group admits
 * its number of requests in each minute, and the groups wait in parallel. The `used` requests were sent immediately
 * before and also count.
 */
export function estimateSeconds(counts: RequestCounts, used: RequestCounts = {}): number {
  const waits = (Object.keys(counts) as RateGroup[]).map((group) => {
    const requested = counts[group] ?? 0;
    if (requested === 0) return 0;
    const limit = requestsPerMinute[group];
    const before = used[group] ?? 0;
    // Only earlier requests of the current minute count toward its limit.
    const taken = before === 0 ? 0 : ((before - 1) % limit) + 1;
    return Math.floor((taken + requested - 1) / limit) * 60;
  });
  return Math.max(0, ...waits);
}

/** Two phases of requests: the second starts after the first. */
export interface RequestPhases {
  readonly first: RequestCounts;
  readonly second: RequestCounts;
}

/** Estimates how many seconds two phases take together. */
export function estimatePhases({ first, second }: RequestPhases): number {
  return estimateSeconds(first) + estimateSeconds(second, first);
}

/** Describes the duration of requests: `about 12 min: 20 heavy and 200 light requests`. */
export function estimateText(counts: RequestCounts, used: RequestCounts = {}): string {
  return requestText(estimateSeconds(counts, used), counts);
}

/** Describes the duration of two phases, with the requests of both. */
export function phasesText(phases: RequestPhases): string {
  return requestText(estimatePhases(phases), addCounts(phases.first, phases.second));
}

function requestText(seconds: number, counts: RequestCounts): string {
  const groups = rateGroupOrder.flatMap((group): readonly [RateGroup, number][] => {
    const count = counts[group] ?? 0;
    return count > 0 ? [[group, count]] : [];
  });
  const total = groups.reduce((sum, [, count]) => sum + count, 0);
  const words = listText(groups.map(([group, count]) => `${count} ${group.toLowerCase()}`));
  return `${timeText(seconds)}: ${words} ${plural(total, 'request')}`;
}

/** The usage groups with the strictest limit first. */
const rateGroupOrder = ['Auth', 'Heavy', 'Medium', 'Light'] as const satisfies readonly RateGroup[];

function timeText(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `about ${minutes} min` : `about ${(minutes / 60).toFixed(1)} h`;
}

/** Joins words as a list: `20 heavy, 1 medium and 400 light`. */
function listText(words: readonly string[]): string {
  return [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ');
}
