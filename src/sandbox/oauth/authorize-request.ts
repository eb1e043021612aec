import type { App } from './app-store.ts';

/** A validated authorization request; its redirect URI is registered for the app. */
export interface AuthorizeRequest {
  readonly app: App;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
}
