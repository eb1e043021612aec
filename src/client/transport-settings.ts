import type { AccessTokenSource, Call, Wait } from './call.ts';
import type { Dialect } from './dialect.ts';
import type { HttpSend } from './http.ts';
import type { OutcomeRecorder } from './outcome-recorder.ts';
import type { BudgetShare } from './rate-budget.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { SentSecrets } from '../platform/sent-secrets.ts';
import type { Timing } from './timing.ts';

/** Settings of a transport. */
export interface TransportSettings {
  /** Base URL of the service. Only its origin and `mediaHosts` receive the token. */
  readonly baseUrl: URL;
  readonly http: HttpSend;
  /** Registry of the secrets of requests, which are masked in error texts. Default: a new registry. */
  readonly sentSecrets?: SentSecrets | undefined;
  readonly tokens: AccessTokenSource;
  readonly userAgent: string;
  readonly timeoutMilliseconds: number;
  /** Language of the texts in replies, sent as Accept-Language. */
  readonly language?: string | undefined;
  /** Dialect of the service; default `spec`. */
  readonly dialect?: Dialect | undefined;
  /** Whether only GET requests are sent; other requests throw DryRunStop. */
  readonly dryRun?: boolean | undefined;
  /** Maximum number of retries; default 4. */
  readonly retries?: number | undefined;
  /** Whether to also retry `once` calls after a 503 with Retry-After. A DELETE of messages is never retried. */
  readonly resendAfter503?: boolean | undefined;
  /** Maximum time that one request waits for rate limits; default 125 s. */
  readonly maxWaitMilliseconds?: number | undefined;
  /** Hosts, with the port if it is not 443, that may receive the token for a URL that the service returned. */
  readonly mediaHosts?: readonly string[] | undefined;
  /**
   * Asks whether a host that the service named, and that is not listed, may receive the token for media. Called at most
   * once for each host. By default, no unlisted host receives the token.
   */
  readonly allowMediaHost?: ((host: string) => Promise<boolean>) | undefined;
  readonly timing?: Timing | undefined;
  /** Shares rate-limit budgets with other processes. */
  readonly budgetShare?: BudgetShare | undefined;
  /** Applies the rate limits across all machines that share a store, instead of `budgetShare`. */
  readonly limiter?: RateLimiter | undefined;
  /** Aborts when the client is closed. Then waits end, and no request is sent. */
  readonly closing?: AbortSignal | undefined;
  /** Called before each request; throws to block it. */
  readonly guard?: ((call: Call) => Promise<void>) | undefined;
  /** Records each `once` call before it is sent. */
  readonly recorder?: OutcomeRecorder | undefined;
  /** Called before each wait. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}
