import type { AccessTokenSource, Call } from './call.ts';
import type { Dialect } from './dialect.ts';
import type { HttpSend } from './http.ts';
import type { OutcomeRecorder } from './outcome-recorder.ts';
import type { BudgetShare } from './rate-budget.ts';
import type { Timing } from './timing.ts';

/** How a transport reaches the service, and how long it tries. */
export interface TransportSettings {
  /** Address of the service; the token goes to its origin and to `mediaHosts` only. */
  readonly baseUrl: URL;
  readonly http: HttpSend;
  readonly tokens: AccessTokenSource;
  readonly userAgent: string;
  readonly timeoutMilliseconds: number;
  /** Sent as Accept-Language. */
  readonly language?: string | undefined;
  /** Spelling of paths where the deployment differs from dialect `spec`. */
  readonly dialect?: Dialect | undefined;
  /** Refuses every request but GET. */
  readonly dryRun?: boolean | undefined;
  /** Further tries after the first; default 4. */
  readonly retries?: number | undefined;
  /** Also repeats a request that must not be done twice after a 503 that names a Retry-After. */
  readonly resendAfter503?: boolean | undefined;
  /** Longest wait of one request for the service's rate limits; default 2 min. */
  readonly maxWaitMilliseconds?: number | undefined;
  /** Hosts, with port where it is not 443, that may see the token when the service gives an address there. */
  readonly mediaHosts?: readonly string[] | undefined;
  readonly timing?: Timing | undefined;
  /** Shares what is left of the rate limits with other processes. */
  readonly budgetShare?: BudgetShare | undefined;
  /** Asked before each call that changes something; throws to refuse it. */
  readonly guard?: ((call: Call) => Promise<void>) | undefined;
  /** Remembers each `once` call before it goes out. */
  readonly recorder?: OutcomeRecorder | undefined;
  /** Told before each wait. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** Why a request waits before it goes out, or out again. */
export interface Wait {
  readonly reason: 'retry' | 'rate-limit';
  readonly milliseconds: number;
  readonly request: { readonly method: string; readonly path: string };
  /** What went wrong before; absent when a limit is only near. */
  readonly error?: unknown;
}
