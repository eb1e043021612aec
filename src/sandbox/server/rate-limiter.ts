import type { RateGroup } from '../../contract/enums.ts';
import { requestsPerMinute } from '../../contract/limits.ts';
import { ServiceError } from '../request/errors.ts';

/** The published limits of requests a minute, or none. */
export type RateLimits = 'realistic' | 'off';

const windowSeconds = 60;

interface Bucket {
  /** When the window ends, by the machine's clock. */
  endsAt: number;
  used: number;
  /** Until then everything is refused; each further request starts it anew. */
  penaltyEndsAt: number;
}
type Headers = Readonly<Record<string, string>>;

/** The published limits (RATE-1 to RATE-6): requests of one group, by one user with one application, in a minute of the machine's time. */
export class RateLimiter {
  readonly #machineTime: () => number;
  readonly #buckets = new Map<string, Bucket>();
  mode: RateLimits;

  constructor(mode: RateLimits, machineTime: () => number) {
    this.mode = mode;
    this.#machineTime = machineTime;
  }

  /**
   * Counts one request; `who` is user and app. Returns the headers that tell what is left.
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

  /** Forgets what was counted. */
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
