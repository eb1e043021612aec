import type { RateGroup } from '../../contract/enums.ts';
import { requestsPerMinute } from '../../contract/limits.ts';
import { ServiceError } from '../request/errors.ts';

/** The published limits of requests per minute, or no limits. */
export type RateLimits = 'realistic' | 'off';

const windowSeconds = 60;

interface Bucket {
  /** End of the window, according to the machine's clock. */
  endsAt: number;
  used: number;
  /** End of the penalty. Until then all requests are rejected, and each request restarts the penalty. */
  penaltyEndsAt: number;
}
type Headers = Readonly<Record<string, string>>;

/**
 * Enforces the published limits (RATE-1 to RATE-6) for each user, application and group. A minute is measured by the
 * clock of the machine.
 */
export class RateLimiter {
  readonly #machineTime: () => number;
  readonly #buckets = new Map<string, Bucket>();
  mode: RateLimits;

  constructor(mode: RateLimits, machineTime: () => number) {
    this.mode = mode;
    this.#machineTime = machineTime;
  }

  /**
   * Counts one request; `who` is user and app. Returns the headers with the remaining number of requests.
   * @throws {ServiceError} CMN-301 with Retry-After.
   */
  take(who: string, group: RateGroup): Headers {
    if (this.mode === 'off') return {};
    const now = this.#machineTime();
    const limit = requestsPerMinute[group];
    const bucket = this.#bucket(`${group} ${who}`, now);
    bucket.used += 1;
    if (bucket.penaltyEndsAt <= now && bucket.used <= limit) {
      return headers(group, limit, limit - bucket.used);
    }
    bucket.penaltyEndsAt = now + windowSeconds * 1000;
    bucket.endsAt = bucket.penaltyEndsAt;
    throw new ServiceError(429, 'CMN-301', 'Request rate exceeded', {
      headers: { ...headers(group, limit, 0), 'retry-after': String(windowSeconds) },
    });
  }

  /** Resets all counters. */
  reset(): void {
    this.#buckets.clear();
  }

  #bucket(key: string, now: number): Bucket {
    const known = this.#buckets.get(key);
    if (known && known.endsAt > now) return known;
    const fresh = { endsAt: now + windowSeconds * 1000, used: 0, penaltyEndsAt: 0 };
    this.#buckets.set(key, fresh);
    return fresh;
  }
}

function headers(group: RateGroup, limit: number, remaining: number): Headers {
  return {
    'x-rate-limit-group': group.toLowerCase(),
    'x-rate-limit-limit': String(limit),
    'x-rate-limit-remaining': String(remaining),
    'x-rate-limit-window': String(windowSeconds),
  };
}
