import type { HttpReply } from './http.ts';

/** Delays requests until the rate limits of the service allow them. */
export interface RateLimiter {
  /** Returns the usage group of a request: the group that a reply named, or else the documented group. */
  groupOf(method: string, path: string): string;
  /**
   * Takes one request from the budget. Returns 0 if the request may be sent now, otherwise the milliseconds after which
   * to call again.
   * @param reserve number of requests to leave for other processes; see `Call.reserve`.
   * @param isLearned whether `learn` gets the reply. Other requests then wait for it while the limit is unknown.
   */
  take(group: string, now: number, reserve?: number, isLearned?: boolean): Promise<number>;
  /** Updates the budget from a reply that arrived at `now`. */
  learn(taken: string, method: string, path: string, reply: HttpReply, now: number): Promise<void>;
  /** Called when a request of this group has ended without a reply. */
  release(group: string): void;
  /** Called instead of `release` for a request that was not sent, so that it does not count. */
  giveBack(group: string, now: number): Promise<void>;
  /** Blocks the group for `milliseconds` after a 429. */
  block(group: string, milliseconds: number, now: number): Promise<void>;
}

/** The result of taking one request from a budget that machines share. */
export interface FleetTake {
  /** Milliseconds to wait; 0 if the request was taken. */
  readonly wait: number;
  /** Whether the request opened a new window. */
  readonly opened: boolean;
  /** Whether the limit is unknown, and the other requests of all machines wait for the reply to this one. */
  readonly probes: boolean;
  /**
   * The limit, and the number of requests that are left after this request; undefined if no reply has named the limit
   * yet.
   */
  readonly known: { readonly limit: number; readonly remaining: number } | undefined;
}

/** The information of a reply about the limit of its group. */
export interface SeenLimit {
  readonly limit: number;
  readonly remaining: number;
  readonly windowMilliseconds: number;
}

/** A rate budget that machines share. Each call is one statement that uses the clock of the store. */
export interface FleetBudget {
  take(group: string, reserve: number, isLearned?: boolean): Promise<FleetTake>;
  /**
   * Stores the limit from a reply. `opened` means that the request opened the window, which therefore began before the
   * reply. `counted` means that the budget was known, and included the request, when ucctl sent it.
   */
  learn(
    group: string,
    seen: SeenLimit,
    request: { readonly opened: boolean; readonly counted: boolean },
  ): Promise<void>;
  /** Stores an assumed limit if none is known. */
  assume(group: string, limit: SeenLimit): Promise<void>;
  /** Deletes the budget of a group, because the service has no limit for this group. */
  forget(group: string): Promise<void>;
  /**
   * Lets the requests continue that wait for a limit that the reply does not name: all of them if the service has
   * `answered` the request successfully, and otherwise one, which finds out the limit.
   */
  learnNothing(group: string, answered: boolean): Promise<void>;
  block(group: string, milliseconds: number): Promise<void>;
  /** Returns a request that was taken but not sent, unless the window has ended. */
  giveBack(group: string): Promise<void>;
}
