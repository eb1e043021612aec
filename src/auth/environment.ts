import type { HttpSend, Wait } from '../client/index.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import type { Postgres } from '../platform/postgres/postgres.ts';
import type { Paths } from '../runtime/context.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Hint } from '../errors/hint.ts';

/** Dependencies of sign-in and session. */
export interface AuthEnvironment {
  readonly settings: Settings;
  readonly paths: Paths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  http(): Promise<HttpSend>;
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds since an arbitrary time, independent of the clock of the machine. */
  elapsed(): number;
  /** The PostgreSQL store that machines share, if one is set. */
  store?: (() => Promise<Postgres>) | undefined;
  /** Opens the PostgreSQL store of another profile. */
  storeOf?: ((settings: Settings) => Promise<Postgres>) | undefined;
  /** Applies the rate limits of a user across all machines that share a store. */
  limiter?: ((owner: () => Promise<string>) => RateLimiter) | undefined;
  readonly signal: AbortSignal;
  /**
   * Whether a person can answer a prompt of the keyring; if nobody can answer, timeouts are short. Called only for a
   * keyring that may prompt, because the call opens stdin, which takes time.
   */
  interactive?(): boolean;
  /** Whether this is a dry run, which sends no requests that make changes except for renewals of the session. */
  readonly dryRun?: boolean;
  /** Waits by the clock of the run. Without this function, a rate limit is an error instead of a wait. */
  sleep?(milliseconds: number): Promise<void>;
  /** Called before each wait. */
  onWait?(wait: Wait): void;
  /** Writes a line for people to stderr. */
  note?(text: Hint): void;
}
