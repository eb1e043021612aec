import { webSocket } from '../../../../contract/limits.ts';
import { CommandError, Exit } from '../../../../errors/command.ts';
import {
  ApiError,
  ConnectionError,
  RateLimitError,
  SignInRequiredError,
} from '../../../../errors/service.ts';
import { hasNoCode } from '../../../../errors/service-codes.ts';
import { longestPenaltySeconds } from '../../../../platform/rate-bounds.ts';
import { ConnectionEndedError } from './connection.ts';

/** Codes of regular ends of a connection: an idle connection, and every connection after a day (SOCKET-8). */
export const normalEndings: ReadonlySet<string> = new Set(Object.values(webSocket.codes));

/** Statuses after which the service would also reject a repetition of the same request. */
const lastingStatuses = new Set([400, 403, 404]);

/**
 * Whether another attempt at the start of a run cannot succeed. The transport has already retried the token request.
 */
export function isPermanent(error: unknown): boolean {
  if (error instanceof ConnectionEndedError) return false;
  if (error instanceof ConnectionError) return error.isCertificateFault;
  if (error instanceof ApiError) return isTokenRequest(error) || lastingStatuses.has(error.status);
  return true;
}

/**
 * Whether no connection can ever be restored in a run that was connected before: the session has ended, or the service
 * no longer allows the token or the subscription.
 */
export function isFatal(error: unknown): boolean {
  if (error instanceof SignInRequiredError) return true;
  if (!(error instanceof ApiError) || !lastingStatuses.has(error.status)) return false;
  // A gateway in front of the WebSocket, or the sign-in page of a network, may answer with any status for a while.
  return error.request.method === 'POST' && !(isTokenRequest(error) && hasNoCode(error));
}

function isTokenRequest({ request }: ApiError): boolean {
  return request.path.endsWith('/wstoken');
}

/** Returns the error to show for a failed start. */
export function startError(error: unknown): unknown {
  if (!(error instanceof ConnectionEndedError)) return error;
  return new CommandError('websocket_failed', Exit.network, `cannot receive live events: ${error.message}`, {
    hint: 'retry later, or receive events with --transport webhook',
    retryable: true,
    cause: error,
  });
}

/** Returns the milliseconds for which the service requested a wait, at most the longest penalty; 0 without such a request. */
export function retryAfterOf(error: unknown): number {
  if (error instanceof RateLimitError) return error.waitSeconds * 1000;
  const seconds = error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds, longestPenaltySeconds) * 1000;
}
