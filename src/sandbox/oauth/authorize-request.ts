import type { App } from './app-store.ts';

/** What an app asks for; the redirect address is one of its own. */
export interface AuthorizeRequest {
  readonly app: App;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string | undefined;
  readonly codeChallengeMethod: string | undefined;
}
