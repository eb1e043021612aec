import { CommandError, Exit } from '../errors/command.ts';
import { ApiError, ConnectionError, RateLimitError } from '../errors/service.ts';
import { hasNoCode } from '../errors/service-codes.ts';
import { SessionBusyError } from './session-repository.ts';

/** Returns whether the error concerns the application and not this refresh token, so that a later renewal may succeed. */
export function isAboutApplication(error: ApiError): boolean {
  if (error.code === 'invalid_grant') return false;
  return (
    error.status !== 400 || /^(unauthorized_client|unsupported_grant_type|invalid_client)$/.test(error.code)
  );
}

/**
 * Returns whether the service rejected the refresh token or the client secret permanently. A reply without a code of the service
 * comes from another server, such as a proxy.
 */
export function isRejection(error: unknown): error is ApiError {
  return error instanceof ApiError && [400, 401, 403].includes(error.status) && !hasNoCode(error);
}

/** Returns whether the service certainly did not use the refresh token of a failed renewal. */
export function isSurelyUnused(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.reached === 'no';
  return error instanceof ApiError && error.status < 500;
}

/** Returns whether a later renewal may succeed without an action of the user. */
export function isPassing(error: unknown): boolean {
  if (gaveUp(error) || error instanceof ConnectionError) return true;
  return error instanceof ApiError && !isRejection(error);
}

/** Returns whether the lock or the store of the session could not be written, for example on a full disk. */
export function isLocal(error: unknown): boolean {
  return error instanceof CommandError && error.exit === Exit.local;
}

/** Returns whether an early renewal ended because it would have had to wait. */
export function gaveUp(error: unknown): boolean {
  return error instanceof RateLimitError || error instanceof SessionBusyError;
}
