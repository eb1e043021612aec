import { shareBudgets, type OwnBudgetShare } from '../client/budget-share.ts';
import { RateBudget } from '../client/rate-budget.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import { budgetOwnerOf } from './budget-owner.ts';
import type { AuthEnvironment } from './environment.ts';
import { retryAfter429, type WaitLimit } from './retry-after.ts';
import { startDeadline } from './deadline.ts';
import type { SessionRecord } from './session-record.ts';
import { requestToken } from './token-endpoint.ts';

const refreshTimeoutMilliseconds = 20_000;
/** The HTTP client has no separate timeout: the deadline of the renewal limits each request. */
const noTimeout = 0;
/**
 * Other processes wait 90 s for the lock of this process, which covers the usual rate-limit penalty of 60 s
 * and the request.
 */
const longestWaitMilliseconds = 65_000;

/** Callbacks of a renewal. */
export interface RenewalSteps {
  /** Called before each request. */
  begin(): void | Promise<void>;
  /** Called after a request that failed. */
  fail(error: unknown): void | Promise<void>;
  /** Whether requests cannot be sent before the renewal. An early renewal does not wait for rate limits. */
  isUrgent(): boolean;
}

/** The renewal requests of one session. Rate limits are shared with the other processes of the user. */
export class RenewalRequests {
  readonly #environment: AuthEnvironment;
  readonly #budget: RateLimiter;
  readonly #share: OwnBudgetShare;

  constructor(environment: AuthEnvironment, record: SessionRecord) {
    this.#environment = environment;
    const owner = (): Promise<string> => Promise.resolve(budgetOwnerOf(record));
    this.#share = shareBudgets(environment.paths.state, owner);
    this.#budget = environment.limiter?.(owner) ?? new RateBudget(this.#share);
  }

  /**
   * Sends a renewal request, and sends it again after a 429, which leaves the refresh token unused.
   * @throws {RateLimitError} if the wait would be too long. @throws as `requestToken`.
   */
  async send(record: SessionRecord, refreshToken: string, steps: RenewalSteps): Promise<TokenReply> {
    const limit = (waited: number): WaitLimit => ({
      milliseconds: steps.isUrgent() ? longestWaitMilliseconds - waited : 0,
      hint: (seconds) => `retry in ${seconds} s`,
    });
    const ask = async (): Promise<TokenReply> => {
      await steps.begin();
      try {
        return await this.#once(record, refreshToken);
      } catch (error) {
        await steps.fail(error);
        throw error;
      }
    };
    try {
      return await retryAfter429(this.#environment, ask, limit, this.#budget);
    } finally {
      await this.#share.close();
    }
  }

  async #once(record: SessionRecord, refreshToken: string): Promise<TokenReply> {
    const environment = this.#environment;
    // Ctrl-C does not abort a renewal that has been sent, because its single-use token would be lost.
    const deadline = startDeadline(refreshTimeoutMilliseconds, record.origin);
    try {
      return await requestToken(
        {
          baseUrl: parseBaseUrl(environment.settings.baseUrl.value ?? record.origin),
          clientId: record.clientId,
          clientSecret: record.clientSecret,
          http: await environment.http(),
          now: () => environment.now(),
          timeoutMilliseconds: noTimeout,
          signal: deadline.signal,
        },
        { type: 'refresh_token', refreshToken },
        { accessTtlSeconds: record.accessTtlSeconds, refreshTtlSeconds: record.refreshTtlSeconds },
      );
    } finally {
      deadline.end();
    }
  }
}
