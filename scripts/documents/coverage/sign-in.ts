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
      prompt: apiOnly('the service decides what the user must enter'),
      login_hint: apiOnly('the service decides what the user must enter'),
      display: apiOnly('layout for a browser window inside an app'),
      ui_locales: apiOnly('the language of the browser applies'),
      localeId: apiOnly('the language of the browser applies'),
      ui_options: apiOnly('layout for a browser window inside an app'),
      brand_id: apiOnly('the base URL determines the brand'),
      scope: apiOnly('the registration of the app determines the permissions'),
      nonce: apiOnly('ucctl does not use identity tokens'),
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
      endpoint_id: apiOnly('identifies a device, which ucctl does not have'),
    },
  },
  revokeToken: { commands: ['logout'] },
} satisfies Partial<Record<OperationId, OperationReach>>;
