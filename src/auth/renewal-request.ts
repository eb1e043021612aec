import { shareBudgets } from '../client/budget-share.ts';
import { RateBudget } from '../client/rate-budget.ts';
import type { TokenReply } from '../contract/oauth.ts';
import { parseBaseUrl } from '../platform/base-url.ts';
import { budgetOwnerOf } from './budget-owner.ts';
import type { AuthEnvironment } from './environment.ts';
import { outwait, type WaitLimit } from './outwait.ts';
import { patience } from './patience.ts';
import type { SessionRecord } from './session-record.ts';
import { requestToken } from './token-endpoint.ts';

const refreshTimeoutMilliseconds = 20_000;
/** `patience` limits it instead. */
const noTimeout = 0;
/** The others wait 90 s for the lock, under which this waits: room for the usual penalty of 60 s, and for the request itself. */
const longestWaitMilliseconds = 65_000;

/** What the one who renews has to do with its requests. */
export interface RenewalSteps {
  /** Before the token goes out, each time. */
  begin(): void;
  /** It did not work out. */
  fail(error: unknown): void;
  /** Whether there is no work before it is renewed; ahead of time it is a courtesy, which nobody waits for. */
  isUrgent(): boolean;
}

/** The renewals of one session. What the service said of its rate limit is shared with the other processes of the user. */
export class RenewalRequests {
  readonly #environment: AuthEnvironment;
  readonly #budget: RateBudget;

  constructor(environment: AuthEnvironment, record: SessionRecord) {
    this.#environment = environment;
    const owner = (): Promise<string> => Promise.resolve(budgetOwnerOf(record));
    this.#budget = new RateBudget(shareBudgets(environment.paths.state, owner));
  }

  /**
   * Waits out a 429, which leaves the refresh token unused.
   * @throws {RateLimitError} the wait would be too long. @throws as `requestToken`.
   */
  send(record: SessionRecord, refreshToken: string, steps: RenewalSteps): Promise<TokenReply> {
    const limit = (waited: number): WaitLimit => ({
      milliseconds: steps.isUrgent() ? longestWaitMilliseconds - waited : 0,
      hint: (seconds) => `try again in ${seconds} s`,
    });
    const ask = (): Promise<TokenReply> => {
      steps.begin();
      return this.#once(record, refreshToken).catch((error: unknown) => {
        steps.fail(error);
        throw error;
      });
    };
    return outwait(this.#environment, ask, limit, this.#budget);
  }

  async #once(record: SessionRecord, refreshToken: string): Promise<TokenReply> {
    const environment = this.#environment;
    // Not the run's own signal: a renewal that is under way is finished, or its single-use token would be lost.
    const patient = patience(refreshTimeoutMilliseconds, record.origin);
    try {
      return await requestToken(
        {
          baseUrl: parseBaseUrl(environment.settings.baseUrl.value ?? record.origin),
          clientId: record.clientId,
          clientSecret: record.clientSecret,
          http: await environment.http(),
          now: () => environment.now(),
          timeoutMilliseconds: noTimeout,
          signal: patient.signal,
        },
        { type: 'refresh_token', refreshToken },
        { accessTtlSeconds: record.accessTtlSeconds, refreshTtlSeconds: record.refreshTtlSeconds },
      );
    } finally {
      patient.end();
    }
  }
}
