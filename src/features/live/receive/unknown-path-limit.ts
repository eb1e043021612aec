/** Maximum number of requests per second, and in a burst, that one address may send to unknown paths. */
const perSecond = 200;
/** Maximum number of tracked addresses; the least recently used address is dropped first. */
const maxAddresses = 1000;

interface Bucket {
  left: number;
  at: number;
}

/**
 * Limits requests to paths other than the secret path. Requests to the secret path are never limited, because behind a
 * tunnel all requests come from one address (CLIENT-4).
 */
export class UnknownPathLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;

  /** @param now a monotonic clock in milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a request from this address is within the limit. */
  admits(address: string): boolean {
    const now = this.#now();
    const bucket = this.#buckets.get(address) ?? { left: perSecond, at: now };
    bucket.left = Math.min(perSecond, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > maxAddresses && oldest !== undefined) this.#buckets.delete(oldest);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }
}
