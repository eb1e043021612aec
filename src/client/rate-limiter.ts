import type { HttpReply } from './http.ts';

/** Delays requests until the rate limits of the service allow them. */
export interface RateLimiter {
  /** The usage group of a request: the one that a reply named, else the documented one. */
  groupOf(method: string, path: string): string;
  /**
   * Takes one request from the budget. Returns 0 if the request may be sent now, otherwise the milliseconds after which to
   * call again.
   * @param reserve number of requests that are left for others; see `Call.reserve`.
   */
  take(group: string, now: number, reserve?: number): Promise<number>;
  /** Updates the budget from a reply that arrived at `now`. */
  learn(taken: string, method: string, path: string, reply: HttpReply, now: number): Promise<void>;
  /** Called when a request of this group has ended without a reply. */
  release(group: string): void;
  /** Blocks the group for `milliseconds` after a 429. */
  block(group: string, milliseconds: number, now: number): Promise<void>;
}

/** The result of taking one request from a budget that machines share. */
export interface FleetTake {
  /** Milliseconds to wait; 0 if the request was taken. */
  readonly wait: number;
  /** Whether the request opened a new window. */
  readonly opened: boolean;
  /** The limit, and the requests that are left after this one; undefined if no reply has named the limit yet. */
  readonly known: { readonly limit: number; readonly remaining: number } | undefined;
}

/** What a reply says about the limit of its group. */
export interface SeenLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly windowMilliseconds: number;
}

/** A rate budget that machines share. Each call is one statement by the clock of the store. */
export interface FleetBudget {
  take(group: string, reserve: number): Promise<FleetTake>;
  /** Stores what a reply says. `opened` shows that its request opened the window, which therefore began before the reply. */
  learn(group: string, seen: SeenLimit, opened: boolean): Promise<void>;
  /** Stores an assumed limit if none is known. */
  assume(group: string, limit: SeenLimit): Promise<void>;
  /** Deletes what is known about a group, because the service has no limit for it. */
  forget(group: string): Promise<void>;
  block(group: string, milliseconds: number): Promise<void>;
}
