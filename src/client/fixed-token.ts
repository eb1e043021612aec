import { SignInRequiredError } from './errors.ts';
import type { AccessTokenSource } from './transport.ts';

/** A token that cannot be renewed, such as one from the environment. */
export function fixedToken(token: string): AccessTokenSource {
  return {
    current: () => Promise.resolve(token),
    renew: () =>
      Promise.reject(new SignInRequiredError('refused', 'the access token was refused by the service')),
  };
}
