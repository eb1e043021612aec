import { requestsPerMinute } from '../contract/limits.ts';
import type { HttpReply } from './http.ts';
import { rateGroupOf, shapeOf } from './rate-group.ts';
import type { FleetBudget, FleetTake, RateLimiter, SeenLimit } from './rate-limiter.ts';
import { seenLimit } from './seen-limit.ts';

/** Milliseconds added to waits: another machine may take the first request of the new window. */
const guardMilliseconds = 50;
const assumed: SeenLimit = {
  limit: requestsPerMinute.Auth,
  remaining: requestsPerMinute.Auth,
  windowMilliseconds: 60_000,
};

/**
 * Keeps the requests of all machines within the limits of the usage groups. The store alone decides, so the clock of this
 * machine does not matter. A request costs one statement; replies cost one only if they say something new.
 */
export class FleetLimiter implements RateLimiter {
  readonly #open: () => Promise<FleetBudget>;
  /** Groups that the service named, by the shape of the request. */
  readonly #named = new Map<string, string>();
  /** Requests in flight by group, oldest first. */
  readonly #taken = new Map<string, FleetTake[]>();
  readonly #assumed = new Set<string>();

  /** @param open returns the budget of the user; called before the first request. */
  constructor(open: () => Promise<FleetBudget>) {
    this.#open = open;
  }

  groupOf(method: string, path: string): string {
    return this.#named.get(shapeOf(method, path)) ?? rateGroupOf(method, path).toLowerCase();
  }

  async take(group: string, _now: number, reserve = 0): Promise<number> {
    const budget = await this.#open();
    let taken = await budget.take(group, reserve);
    if (reserve > 0 && taken.wait === 0 && taken.known === undefined) {
      await budget.assume(group, assumed);
      this.#assumed.add(group);
      taken = await budget.take(group, reserve);
    }
    if (taken.wait > 0) return taken.wait + guardMilliseconds;
    this.#inFlight(group).push(taken);
    return 0;
  }

  async learn(taken: string, method: string, path: string, reply: HttpReply): Promise<void> {
    const named = reply.header('x-rate-limit-group')?.toLowerCase();
    if (named !== undefined) this.#named.set(shapeOf(method, path), named);
    const before = this.#inFlight(taken).shift();
    const seen = seenLimit(reply);
    if (!seen) return this.#forgetAssumed(taken);
    const group = named ?? taken;
    // The budget of the group that the reply names has not counted this request.
    const isOther = group !== taken;
    const { known, opened = false } = isOther ? {} : (before ?? {});
    const isNews = !known || opened || known.limit !== seen.limit || seen.remaining < known.remaining;
    if (isNews || this.#assumed.delete(group)) await (await this.#open()).learn(group, seen, opened);
  }

  release(group: string): void {
    this.#inFlight(group).shift();
  }

  async block(group: string, milliseconds: number): Promise<void> {
    await (await this.#open()).block(group, milliseconds);
  }

  async #forgetAssumed(group: string): Promise<void> {
    if (this.#assumed.delete(group)) await (await this.#open()).forget(group);
  }

  #inFlight(group: string): FleetTake[] {
    const known = this.#taken.get(group);
    if (known) return known;
    const made: FleetTake[] = [];
    this.#taken.set(group, made);
    return made;
  }
}
