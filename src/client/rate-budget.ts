import type { HttpReply } from './http.ts';
import { rateGroupOf, shapeOf } from './rate-group.ts';

/** What is left of one usage group. Times are milliseconds since 1970. */
export interface GroupBudget {
  /** Requests that may still go out before `resetsAt`; undefined when nobody said. */
  readonly left: number | undefined;
  readonly resetsAt: number;
  /** No request may be sent before this time: after a 429, each request within the penalty restarts it (RATE-6). */
  readonly blockedUntil: number;
}

/** What the processes of one user tell each other about the groups. Every call is a transaction. */
export interface SharedBudget {
  /** Takes one request from the group: milliseconds to wait when there is none to take, and whether it was there to be taken. */
  take(group: string, now: number): { readonly wait: number; readonly isTaken: boolean };
  /** Tells the others what is known here. `untaken`: of a request that went out without being taken here. */
  tell(group: string, budget: GroupBudget, untaken: boolean, now: number): void;
}

/** The way to the other processes. Asking whether there is news is cheap; opening is not, and happens only then or when there is news to tell. */
export interface BudgetShare {
  hasNews(now: number): boolean;
  open(): Promise<SharedBudget>;
}

interface Group {
  left: number | undefined;
  resetsAt: number;
  blockedUntil: number;
  inFlight: number;
  /** Of those, which the other processes do not know of. */
  untaken: number;
}

/** Below this part of a group's limit, or with so few requests left, the other processes are told: what they have under way is not counted yet. */
const nearShare = 0.4;
const fewLeft = 10;
/** Clocks of two processes, and of the service, are not the same to the millisecond. */
const guardMilliseconds = 50;

/**
 * Keeps requests inside the service's usage groups, learnt from its X-Rate-Limit headers: at the end of a budget they wait for the next window, so
 * that no refusal is provoked. A service that sends no such headers is not paced, only obeyed when it refuses.
 */
export class RateBudget {
  readonly #groups = new Map<string, Group>();
  /** Groups by the shape of a request, as the service named them. */
  readonly #named = new Map<string, string>();
  readonly #share: BudgetShare | undefined;

  constructor(share?: BudgetShare) {
    this.#share = share;
  }

  groupOf(method: string, path: string): string {
    return this.#named.get(shapeOf(method, path)) ?? rateGroupOf(method, path).toLowerCase();
  }

  /** Takes one request: 0 when it may go out now, else the milliseconds after which to ask again. */
  async take(name: string, now: number): Promise<number> {
    const group = this.#group(name);
    const own = waitOf(group, now);
    if (own > 0) return own;
    let isTaken = false;
    if (this.#share?.hasNews(now)) {
      const shared = (await this.#share.open()).take(name, now);
      if (shared.wait > 0) return shared.wait;
      ({ isTaken } = shared);
    }
    group.inFlight += 1;
    if (!isTaken) group.untaken += 1;
    if (group.left !== undefined) group.left -= 1;
    return 0;
  }

  /** Learns from a reply. `now` is when it came. */
  async learn(taken: string, method: string, path: string, reply: HttpReply, now: number): Promise<void> {
    const named = reply.header('x-rate-limit-group')?.toLowerCase();
    if (named !== undefined) this.#named.set(shapeOf(method, path), named);
    const untaken = this.#group(taken).untaken > 0;
    this.release(taken);
    const left = readCount(reply.header('x-rate-limit-remaining'));
    const limit = readCount(reply.header('x-rate-limit-limit'));
    const windowSeconds = readCount(reply.header('x-rate-limit-window'));
    if (left === undefined || limit === undefined || windowSeconds === undefined) return;
    const name = named ?? taken;
    const group = this.#group(name);
    // More left than expected, or a window that is over: a new one began, at the latest now.
    const isNew = group.resetsAt <= now || (group.left ?? 0) < left - group.inFlight;
    if (isNew) group.resetsAt = now + windowSeconds * 1000;
    group.left = left - group.inFlight;
    if (left <= Math.max(limit * nearShare, fewLeft)) await this.#tell(name, untaken, now);
  }

  /** The request of this group ended without a reply. */
  release(name: string): void {
    const group = this.#group(name);
    group.inFlight = Math.max(0, group.inFlight - 1);
    group.untaken = Math.max(0, group.untaken - 1);
  }

  /** The service refused with a 429: nothing of this group goes out for so long. */
  async block(name: string, milliseconds: number, now: number): Promise<void> {
    const group = this.#group(name);
    group.blockedUntil = Math.max(group.blockedUntil, now + milliseconds);
    await this.#tell(name, false, now);
  }

  async #tell(name: string, untaken: boolean, now: number): Promise<void> {
    if (this.#share) (await this.#share.open()).tell(name, this.#group(name), untaken, now);
  }

  #group(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const made: Group = { left: undefined, resetsAt: 0, blockedUntil: 0, inFlight: 0, untaken: 0 };
    this.#groups.set(name, made);
    return made;
  }
}

/** Milliseconds until a group may be used again; 0 when it may now. */
export function waitOf(budget: GroupBudget, now: number): number {
  if (budget.blockedUntil > now) return budget.blockedUntil - now + guardMilliseconds;
  const isSpent = budget.left !== undefined && budget.left <= 0;
  return isSpent && budget.resetsAt > now ? budget.resetsAt - now + guardMilliseconds : 0;
}

function readCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}
