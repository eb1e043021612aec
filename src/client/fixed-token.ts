import { SignInRequiredError } from '../errors/service.ts';
import type { AccessTokenSource } from './call.ts';
import { type Hint, nextStep, ucctl } from '../errors/hint.ts';

/** Returns a token that cannot be renewed. `hint` is the next step if the service rejects it. */
export function fixedToken(token: string, hint?: Hint): AccessTokenSource {
  return {
    current: () => Promise.resolve(token),
    renew: () =>
      Promise.reject(
        new SignInRequiredError('rejected', 'the service rejected the access token', undefined, hint),
      ),
  };
}

/** Returns the token of UCCTL_TOKEN. It takes precedence over a session, so signing in again would not help. */
export function environmentToken(token: string): AccessTokenSource {
  return fixedToken(
    token,
    nextStep`set UCCTL_TOKEN to a valid token, or unset it and sign in: ${ucctl('login')}`,
  );
}
