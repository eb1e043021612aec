import type { AccessTokenSource, HttpSend } from '../client/index.ts';
import type { Paths, Settings } from '../runtime/context.ts';

/** What signing in needs from outside. */
export interface AuthEnvironment {
  readonly settings: Settings;
  readonly paths: Paths;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  http(): Promise<HttpSend>;
  now(): number;
  readonly signal: AbortSignal;
}

/** The session of one profile: a source of access tokens, and signing in and out. */
export type Auth = AccessTokenSource;

/** Opens nothing by itself: the store is read at the first use. */
export function createAuth(environment: AuthEnvironment): Auth {
  throw new Error(`not written yet: ${environment.platform}`);
}
