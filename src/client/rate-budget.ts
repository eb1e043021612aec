import { requestsPerMinute } from '../contract/limits.ts';
import { longestPenaltySeconds, longestWindowMilliseconds } from '../platform/rate-bounds.ts';
import type { HttpReply } from './http.ts';
import { NamedGroups } from './rate-group.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { readCount } from './seen-limit.ts';

/** The remaining budget of one usage group. Times are milliseconds since 1970. */
export interface GroupBudget {
  /** Number of remaining requests before `resetsAt`; undefined if not known. */
  readonly left: number | undefined;
  readonly resetsAt: number;
  /** No request may be sent before this time: after a 429, each request within the penalty restarts it (RATE-6). */
  readonly blockedUntil: number;
}

/** The budgets that the processes of one user share. Every call is a transaction. */
export interface SharedBudget {
  /**
   * Takes one request from the budget. `wait` is the time to wait in milliseconds if no request is left. `isTaken`
   * shows whether the shared budget counted the request. With a `reserve`, an unknown budget is assumed.
   */
  take(group: string, now: number, reserve?: number): { readonly wait: number; readonly isTaken: boolean };
  /** Returns the budgets that apply now. */
  known(now: number): readonly (GroupBudget & { readonly group: string })[];
  /** Returns a request that was taken but not sent, unless the window has ended. */
  giveBack(group: string, now: number): void;
  /** Deletes an assumed budget, because the service reported that it is not needed. */
  forget(group: string): void;
  /**
   * Merges the budget of this process into the shared budget. `untaken` shows that the shared budget did not count the
   * last request.
   */
  update(group: string, budget: GroupBudget, untaken: boolean, now: number): void;
  close(): void;
}

/**
 * Access to the shared budgets. `hasEntries` is cheap. `open` is expensive, and is called only if there are entries,
 * to store an update, or for a request that leaves requests to other processes.
 */
export interface BudgetShare {
  /** Whether another process may have stored an update. */
  hasEntries(now: number): boolean;
  open(): Promise<SharedBudget>;
}

interface Group {
  left: number | undefined;
  resetsAt: number;
  blockedUntil: number;
  /** Time of the last take or reply in milliseconds since 1970. */
  seenAt: number;
  inFlight: number;
  /** Requests in flight that the shared budget has not counted. */
  untaken: number;
  /** Whether `left` is the documented limit, because no reply has named a limit yet. */
  isAssumed: boolean;
}

/**
 * Budgets are shared when fewer requests than this share of the limit, or than `fewLeft`, are left. Requests in flight
 * of other processes are not counted yet.
 */
const nearShare = 0.4;
const fewLeft = 10;
/** Milliseconds added to waits, because the clocks of this machine and the service differ slightly. */
const guardMilliseconds = 50;
/** Length of a window of the documented limits. */
const windowMilliseconds = 60_000;
/** Milliseconds by which the reading of the clock of one process may be older than that of another process. */
const readingMilliseconds = 5000;
/**
 * Milliseconds by which a request may reach the service later than ucctl took it. Windows of the service begin with the
 * first request that arrives, so an assumed window ends later by this time. Two waits for such windows must not exceed
 * the default of `--max-wait`.
 */
const longestDelayMilliseconds = 2500;

/**
 * Keeps requests within the limits of the usage groups, as reported in the X-Rate-Limit headers. Without remaining
 * budget, a request waits for the next window instead of causing a 429. Without these headers, requests wait only after
 * a 429.
 */
export class RateBudget implements RateLimiter {
  readonly #groups = new Map<string, Group>();
  readonly #named = new NamedGroups();
  readonly #share: BudgetShare | undefined;

  constructor(share?: BudgetShare) {
    this.#share = share;
  }

  groupOf(method: string, path: string): string {
    return this.#named.of(method, path);
  }

  /**
   * Takes one request from the budget. Returns 0 if the request may be sent now, otherwise the milliseconds after which
   * to call again.
   * @param reserve number of requests to leave for other processes; see `Call.reserve`.
   */
  async take(name: string, now: number, reserve = 0): Promise<number> {
    const group = this.#group(name);
    dropFuture(group, now);
    group.seenAt = now;
    if (reserve > 0 && (group.left === undefined || group.resetsAt <= now))
      Object.assign(group, assumedBudget(now), { isAssumed: true });
    const own = waitOf(group, now, reserve);
    if (own > 0) return own;
    let isTaken = false;
    if (this.#share && (reserve > 0 || this.#share.hasEntries(now))) {
      const shared = (await this.#share.open()).take(name, now, reserve);
      if (shared.wait > 0) return shared.wait;
      ({ isTaken } = shared);
    }
    group.inFlight += 1;
    if (!isTaken) group.untaken += 1;
    if (group.left !== undefined) group.left -= 1;
    return 0;
  }

  /** Updates the budget from a reply. `now` is the time at which the reply arrived, in milliseconds since 1970. */
  async learn(taken: string, method: string, path: string, reply: HttpReply, now: number): Promise<void> {
    const named = reply.header('x-rate-limit-group')?.toLowerCase();
    if (named !== undefined) this.#named.learn(method, path, named);
    const untaken = this.#group(taken).untaken > 0;
    this.release(taken);
    const left = readCount(reply.header('x-rate-limit-remaining'));
    const limit = readCount(reply.header('x-rate-limit-limit'));
    const windowSeconds = readCount(reply.header('x-rate-limit-window'));
    const isAmple = limit === undefined || (left ?? 0) > Math.max(limit * nearShare, fewLeft);
    if (isAmple) await this.#forgetAssumed(taken);
    if (left === undefined || limit === undefined || windowSeconds === undefined) return;
    const name = named ?? taken;
    const group = this.#group(name);
    dropFuture(group, now);
    // The window has ended, or more requests are left than expected: a new window has begun. An assumed window is
    // replaced, because its end is not known.
    const isNew = group.isAssumed || group.resetsAt <= now || (group.left ?? 0) < left - group.inFlight;
    group.isAssumed = false;
    group.seenAt = now;
    if (isNew) group.resetsAt = now + windowSeconds * 1000;
    group.left = left - group.inFlight;
    if (!isAmple) await this.#publish(name, untaken, now);
  }

  async #forgetAssumed(name: string): Promise<void> {
    const group = this.#group(name);
    if (!group.isAssumed) return;
    Object.assign(group, { left: undefined, resetsAt: 0, isAssumed: false });
    if (this.#share) (await this.#share.open()).forget(name);
  }

  /** Called when a request of this group has ended without a reply. */
  release(name: string): void {
    const group = this.#group(name);
    group.inFlight = Math.max(0, group.inFlight - 1);
    group.untaken = Math.max(0, group.untaken - 1);
  }

  async giveBack(name: string, now: number): Promise<void> {
    const group = this.#group(name);
    const isCountedByShare = group.inFlight > group.untaken;
    this.release(name);
    if (group.left !== undefined && group.resetsAt > now) group.left += 1;
    if (isCountedByShare && this.#share) (await this.#share.open()).giveBack(name, now);
  }

  /** Blocks the group for `milliseconds` after a 429. */
  async block(name: string, milliseconds: number, now: number): Promise<void> {
    const group = this.#group(name);
    dropFuture(group, now);
    group.seenAt = now;
    group.blockedUntil = Math.max(group.blockedUntil, now + milliseconds);
    await this.#publish(name, false, now);
  }

  async #publish(name: string, untaken: boolean, now: number): Promise<void> {
    if (this.#share) (await this.#share.open()).update(name, this.#group(name), untaken, now);
  }

  #group(name: string): Group {
    const known = this.#groups.get(name);
    if (known) return known;
    const made: Group = {
      left: undefined,
      resetsAt: 0,
      blockedUntil: 0,
      seenAt: 0,
      inFlight: 0,
      untaken: 0,
      isAssumed: false,
    };
    this.#groups.set(name, made);
    return made;
  }
}

/** Drops times of a clock that was ahead, so that no request waits for minutes or hours after the clock was set back. */
function dropFuture(group: Group, now: number): void {
  const isBack = isSetBack(group.seenAt, now);
  if (isBack || isPenaltyTooLate(group.blockedUntil, now)) group.blockedUntil = 0;
  if (isBack || isWindowTooLate(group.resetsAt, now))
    Object.assign(group, { left: undefined, resetsAt: 0, isAssumed: false });
}

/** Whether a time is later than the end of any rate-limit window: it comes from a clock that was ahead. */
export function isWindowTooLate(time: number, now: number): boolean {
  return time > now + longestWindowMilliseconds;
}

/** Whether a time is later than the end of any penalty: it comes from a clock that was ahead. */
export function isPenaltyTooLate(time: number, now: number): boolean {
  return time > now + longestPenaltySeconds * 1000 + readingMilliseconds;
}

/** Whether the clock was set back since a time at which it was read. */
export function isSetBack(readAt: number, now: number): boolean {
  return readAt > now + readingMilliseconds;
}

/** Milliseconds until the next request of a group may be sent; 0 if it may be sent now. */
export function waitOf(budget: GroupBudget, now: number, reserve = 0): number {
  if (budget.blockedUntil > now) return budget.blockedUntil - now + guardMilliseconds;
  const isSpent = budget.left !== undefined && budget.left <= reserve;
  return isSpent && budget.resetsAt > now ? budget.resetsAt - now + guardMilliseconds : 0;
}

/**
 * Returns the documented budget of a window that begins with a request that is sent now. The first reply names an
 * earlier end. Only requests of the group Auth have a reserve.
 */
export function assumedBudget(now: number): Pick<GroupBudget, 'left' | 'resetsAt'> {
  return { left: requestsPerMinute.Auth, resetsAt: now + windowMilliseconds + longestDelayMilliseconds };
}
