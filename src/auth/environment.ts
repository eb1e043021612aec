import type { HttpSend, Wait } from '../client/index.ts';
import type { Paths } from '../runtime/context.ts';
import type { Settings } from '../runtime/settings.ts';
import type { Hint } from '../errors/hint.ts';

/** What signing in needs from outside. */
export interface AuthEnvironment {
  readonly settings: Settings;
  readonly paths: Paths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  http(): Promise<HttpSend>;
  /** Milliseconds since 1970. */
  now(): number;
  readonly signal: AbortSignal;
  /** Whether a person can answer a keyring's prompt; without one, waits are short. */
  readonly interactive?: boolean;
  /** Nothing that changes the service goes out, but the renewal that reading needs. */
  readonly dryRun?: boolean;
  /** Waits, by the clock of the run; without it nothing is waited for. */
  sleep?(milliseconds: number): Promise<void>;
  /** Told before each wait. */
  onWait?(wait: Wait): void;
  /** A line for people on stderr. */
  note?(text: Hint): void;
}
