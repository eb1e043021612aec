import { SignInRequiredError } from '../errors/service.ts';
import type { AccessTokenSource } from './call.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';

/** A token that cannot be renewed. `nextStep` is what helps when the service refuses it. */
export function fixedToken(token: string, hint?: Hint): AccessTokenSource {
  return {
    current: () => Promise.resolve(token),
    renew: () =>
      Promise.reject(
        new SignInRequiredError('refused', 'the access token was refused by the service', undefined, hint),
      ),
  };
}

/** The token of UCCTL_TOKEN: it goes before any session, so that signing in would not help. */
export function environmentToken(token: string): AccessTokenSource {
  return fixedToken(
    token,
    nextStep`give UCCTL_TOKEN a token that is valid, or unset it and: ${ucctl('login')}`,
  );
}
