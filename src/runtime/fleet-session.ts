import type { Client } from '../client/index.ts';
import type { FleetTake } from '../client/rate-limiter.ts';

/** A sign-in that a worker of the fleet sends requests with. Sign-ins of the same user and app share a rate budget. */
export interface FleetSession {
  readonly profile: string;
  readonly origin: string;
  /** Name of the rate budget in the store. */
  readonly owner: string;
  /**
   * Name of the sign-in in the rejections of tasks: the owner or, for a token, its user, because each new token has another
   * owner.
   */
  readonly rejectionOwner: string;
  /** The user, as journals identify users. */
  readonly who: string;
  readonly api: Client;
  /** The usage group of a request, by the name of the service if it is known. */
  groupOf(method: string, path: string): string;
  /**
   * Assigns a request that was taken from the budget together with a task to the next request of a group.
   * @returns a function that withdraws the assignment, unless a request has used it.
   */
  prepay(group: string, taken: FleetTake): () => void;
  /** Whether the service replies to a request without a sign-in within this time. Uses no rate budget. Never rejects. */
  reaches(milliseconds: number): Promise<boolean>;
}
