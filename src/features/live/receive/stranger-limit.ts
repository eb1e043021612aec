/** Requests a second, and at once, that one address may send to paths that are not the secret one. */
const perSecond = 200;
/** Addresses remembered; the one that was quiet longest is forgotten first. */
const most = 1000;

interface Bucket {
  left: number;
  at: number;
}

/** Limits requests from senders that do not know the secret path. Requests to the secret path are never counted, because behind a tunnel all have one address (CLIENT-4). */
export class StrangerLimit {
  readonly #buckets = new Map<string, Bucket>();
  readonly #now: () => number;

  /** @param now milliseconds of any steady clock. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a request from this address may be answered in full. */
  admits(address: string): boolean {
    const now = this.#now();
    const bucket = this.#buckets.get(address) ?? { left: perSecond, at: now };
    bucket.left = Math.min(perSecond, bucket.left + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    this.#buckets.delete(address);
    this.#buckets.set(address, bucket);
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > most && oldest !== undefined) this.#buckets.delete(oldest);
    if (bucket.left < 1) return false;
    bucket.left -= 1;
    return true;
  }
}
