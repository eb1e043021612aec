import { DatabaseError } from '../platform/database-error.ts';
import { StoreError } from '../platform/store-error.ts';
import { UnsafePathError } from '../platform/ownership.ts';
import { CommandError, messageOf } from './command.ts';
import { ApiError, RateLimitError, ReplyError, SignInRequiredError } from './service.ts';
import { nextStep, storeHint, ucctl, type CommandText, type Hint } from './hint.ts';

const withHint = [
  CommandError,
  ApiError,
  RateLimitError,
  ReplyError,
  SignInRequiredError,
  DatabaseError,
  UnsafePathError,
];

/** Returns the hint of an error; undefined if it has none. */
export function hintOf(error: unknown): Hint | undefined {
  if (error instanceof StoreError) return storeHint(error);
  for (const type of withHint) if (error instanceof type) return error.hint;
  return undefined;
}

/** Returns the command that signs in again after this error; undefined if another sign-in does not help. */
export function signInCommandOf(error: unknown): CommandText | undefined {
  if (!(error instanceof SignInRequiredError)) return undefined;
  const { hint = ucctl('login') } = error;
  return typeof hint !== 'string' && 'ucctl' in hint ? hint : undefined;
}

/** Describes a failure that a running program retries. If the session has ended, the text names the command that signs in. */
export function retryText(error: unknown): Hint {
  const signIn = signInCommandOf(error);
  if (!signIn) return `${messageOf(error)}; retrying`;
  return nextStep`${messageOf(error)}; sign in again in another terminal: ${signIn}; ucctl then continues`;
}
