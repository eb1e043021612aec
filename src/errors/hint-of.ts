import { DatabaseError } from '../platform/database-error.ts';
import { StoreError } from '../platform/store-error.ts';
import { UnsafePathError } from '../platform/ownership.ts';
import { CommandError } from './command.ts';
import { ApiError, RateLimitError, ReplyError, SignInRequiredError } from './service.ts';
import { storeHint, type Hint } from './hint.ts';

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
