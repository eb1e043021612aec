import type { OperationId } from '../../../src/contract/operations.ts';
import { apiOnly, flag, itself, type OperationReach } from './reach.ts';

/** Versions of the interface, and tokens. */
export const signIn = {
  readApiVersions: { commands: ['doctor'] },
  authorize: {
    commands: ['login'],
    parameters: {
      response_type: itself('code'),
      client_id: flag('login --client-id'),
      redirect_uri: flag('login --redirect-uri'),
      state: itself('random, checked on return'),
      code_challenge: flag('login --no-pkce'),
      code_challenge_method: itself('S256'),
      prompt: apiOnly('the service decides whom it asks'),
      login_hint: apiOnly('the service decides whom it asks'),
      display: apiOnly('how a page looks in a browser window of an app'),
      ui_locales: apiOnly("the browser's own language counts"),
      localeId: apiOnly("the browser's own language counts"),
      ui_options: apiOnly('how a page looks in a browser window of an app'),
      brand_id: apiOnly('the page of the base URL has a brand already'),
      scope: apiOnly('the app is registered with its permissions'),
      nonce: apiOnly('there is no identity token'),
    },
  },
  issueToken: {
    commands: ['login'],
    parameters: {
      grant_type: flag('login --flow'),
      code: itself('from the redirect'),
      redirect_uri: flag('login --redirect-uri'),
      code_verifier: flag('login --no-pkce'),
      username: flag('login --username'),
      extension: flag('login --extension'),
      password: flag('login --password-stdin'),
      refresh_token: itself('from the session'),
      assertion: flag('login --assertion-file'),
      brand_id: flag('login --brand-id'),
      account_id: flag('login --account-id'),
      partner_account_id: flag('login --partner-account-id'),
      client_id: flag('login --client-id'),
      access_token_ttl: flag('login --access-token-ttl'),
      refresh_token_ttl: flag('login --refresh-token-ttl'),
      endpoint_id: apiOnly('names a device; there is none'),
    },
  },
  revokeToken: { commands: ['logout'] },
} satisfies Partial<Record<OperationId, OperationReach>>;
