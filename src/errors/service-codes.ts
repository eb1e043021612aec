import { ApiError, isRejectedWith, isTemporaryStatus } from './service.ts';

/** Codes of a 404 that is not about a resource: of an unknown path (ERROR-3, ERROR-17), or of another server (ERROR-1). */
const missingPath = new Set(['AGW-404', 'CMN-120', 'HTTP-404']);

/** Returns whether the service replied that the resource of the request does not exist. */
export function isMissingResource(error: unknown): error is ApiError {
  return isRejectedWith(error, 404) && !missingPath.has(error.code);
}

/** Returns whether an error reply may come from another server, because every error of the service has a code (ERROR-1, ERROR-2). */
export function hasNoCode({ code, status }: ApiError): boolean {
  return code === `HTTP-${status}`;
}

/** Returns whether the service itself rejected a request, and would reject it again: another attempt cannot help. */
export function isFinalRejection(error: unknown): error is ApiError {
  return error instanceof ApiError && !hasNoCode(error) && !isTemporaryStatus(error.status);
}

/** Returns whether the service itself rejected a request with this HTTP status, and not another server, such as a proxy. */
export function isRejectedByService(error: unknown, status: number): error is ApiError {
  return isRejectedWith(error, status) && !hasNoCode(error);
}

/** Codes of a 403 that does not depend on the resource: the app or the user lacks a permission (ERROR-8, ERROR-20). */
const missingPermission = new Set(['InsufficientPermissions', 'CMN-401', 'CMN-408']);

/** Returns whether the service rejected a request for a reason that applies to all resources of the same kind. */
export function lacksPermission(error: unknown): error is ApiError {
  if (!isRejectedByService(error, 403)) return false;
  // The outer code of the error is the same for all reasons.
  const codes = error.errors.length > 0 ? error.errors.map(({ errorCode }) => errorCode) : [error.code];
  return codes.some((code) => missingPermission.has(code));
}

/**
 * Returns whether the service rejected the token of an incremental sync (SYNC-15). Error codes differ between services, so
 * only the status is checked.
 */
export function isRejectedSyncToken(error: unknown): boolean {
  return [400, 404, 410].some((status) => isRejectedByService(error, status));
}
