import { requestsPerMinute } from '../contract/limits.ts';
import type { HttpReply } from './http.ts';
import { NamedGroups } from './rate-group.ts';
import type { FleetBudget, FleetTake, RateLimiter, SeenLimit } from './rate-limiter.ts';
import { seenLimit } from './seen-limit.ts';

/** Milliseconds added to waits: another machine may take the first request of the new window. */
const guardMilliseconds = 50;
/** Replies after the first one of a window that also count as early, because the first may be lost. */
const mostEarly = 1;
const assumed: SeenLimit = {
  limit: requestsPerMinute.Auth,
  remaining: requestsPerMinute.Auth,
  windowMilliseconds: 60_000,
};

/**
 * Limits the requests of all machines to the rate limits of the usage groups. Only the store decides, so the clock of
 * this machine does not matter. A request needs one statement. A reply needs one only if it contains new information.
 */
export class FleetLimiter implements RateLimiter {
  readonly #open: () => Promise<FleetBudget>;
  readonly #named = new NamedGroups();
  /** Requests in flight by group, oldest first. */
  readonly #taken = new Map<string, FleetTake[]>();
  readonly #assumed = new Set<string>();
  /** Requests by group that were taken from the budget earlier, together with the work that needs them. */
  readonly #prepaid = new Map<string, FleetTake[]>();

  /** @param open returns the budget of the user; called before the first request. */
  constructor(open: () => Promise<FleetBudget>) {
    this.#open = open;
  }

  groupOf(method: string, path: string): string {
    return this.#named.of(method, path);
  }

  /**
   * Assigns a request that was taken from the budget earlier to the next request of a group. @returns a function that
   * withdraws the assignment, unless a request has used it, because the window of the budget will end.
   */
  prepay(group: string, taken: FleetTake): () => void {
    const prepaid = listOf(this.#prepaid, group);
    prepaid.push(taken);
    return () => {
      const index = prepaid.indexOf(taken);
      if (index !== -1) prepaid.splice(index, 1);
    };
  }

  async take(group: string, _now: number, reserve = 0, isLearned = true): Promise<number> {
    const prepaid = listOf(this.#prepaid, group).shift();
    if (prepaid) {
      listOf(this.#taken, group).push(prepaid);
      return 0;
    }
    const budget = await this.#open();
    let taken = await budget.take(group, reserve, isLearned);
    if (reserve > 0 && taken.wait === 0 && taken.known === undefined) {
      await budget.assume(group, assumed);
      this.#assumed.add(group);
      taken = await budget.take(group, reserve);
    }
    if (taken.wait > 0) return taken.wait + guardMilliseconds;
    listOf(this.#taken, group).push(taken);
    return 0;
  }

  async learn(taken: string, method: string, path: string, reply: HttpReply): Promise<void> {
    const named = reply.header('x-rate-limit-group')?.toLowerCase();
    if (named !== undefined) this.#named.learn(method, path, named);
    const before = listOf(this.#taken, taken).shift();
    const seen = seenLimit(reply);
    const group = named ?? taken;
    const isOther = group !== taken;
    if (isOther || !seen) await this.#endProbe(taken, before, !isOther && reply.status < 400);
    if (!seen) return this.#forgetAssumed(taken);
    // If the reply names another group, the budget of that group has not counted this request.
    await this.#learnLimit(group, seen, isOther ? undefined : before);
  }

  async #learnLimit(group: string, seen: SeenLimit, before: FleetTake | undefined): Promise<void> {
    const known = before?.known;
    const opened = before?.opened === true || isEarly(seen);
    const isNews = !known || opened || known.limit !== seen.limit || seen.remaining < known.remaining;
    const wasAssumed = this.#assumed.delete(group);
    if (isNews || wasAssumed)
      await (await this.#open()).learn(group, seen, { opened, counted: known !== undefined });
  }

  release(group: string): void {
    listOf(this.#taken, group).shift();
  }

  async giveBack(group: string): Promise<void> {
    const taken = listOf(this.#taken, group).shift();
    if (!taken) return;
    if (taken.known !== undefined) await (await this.#open()).giveBack(group);
    else await this.#endProbe(group, taken, false);
  }

  async block(group: string, milliseconds: number): Promise<void> {
    await (await this.#open()).block(group, milliseconds);
  }

  /** Lets waiting requests continue, because the reply to this request names no limit. */
  async #endProbe(group: string, before: FleetTake | undefined, answered: boolean): Promise<void> {
    if (before?.probes === true) await (await this.#open()).learnNothing(group, answered);
  }

  async #forgetAssumed(group: string): Promise<void> {
    if (this.#assumed.delete(group)) await (await this.#open()).forget(group);
  }
}

/**
 * Whether the reply is one of the first in the window of the service. This window begins when its first request
 * arrives, which may be seconds after the budget was taken, and the process that took it may have ended. Few early
 * replies are enough: a later one would only make the window longer than necessary.
 */
function isEarly({ limit, remaining }: SeenLimit): boolean {
  return remaining >= limit - 1 - Math.min(mostEarly, Math.floor(limit / 20));
}

function listOf(lists: Map<string, FleetTake[]>, group: string): FleetTake[] {
  const known = lists.get(group);
  if (known) return known;
  const made: FleetTake[] = [];
  lists.set(group, made);
  return made;
}
