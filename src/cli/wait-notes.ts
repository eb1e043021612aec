import { ApiError, ConnectionError } from '../errors/service.ts';
import type { Output } from '../runtime/output.ts';
import type { System } from '../runtime/system.ts';
import { connectionFailure } from './connection-failure.ts';

/** A wait that the client announces. */
interface Wait {
  readonly reason: 'retry' | 'rate-limit';
  readonly milliseconds: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly error?: unknown;
}

/**
 * Milliseconds: shorter waits are not reported to scripts, and waits that end within this time of each other
 * are reported once.
 */
const shortMilliseconds = 1000;

/** Milliseconds without a failure of one kind, after which the next one is reported again. */
const outageMilliseconds = 60_000;

/**
 * Reports waits on stderr. Waits that the service requested are reported once if they end together. Other retries are
 * only reported on a terminal, once for each outage.
 */
export function waitNotes(
  system: Pick<System, 'stderr' | 'elapsed'>,
  out: Pick<Output, 'note'>,
): (wait: Wait) => void {
  let reportedUntil = Number.NEGATIVE_INFINITY;
  const lastFailures = new Map<string, number>();
  const isNewOutage = ({ error }: Wait): boolean => {
    const kind = failureText(error);
    const last = lastFailures.get(kind);
    lastFailures.set(kind, system.elapsed());
    return last === undefined || system.elapsed() - last >= outageMilliseconds;
  };
  const isNewWait = ({ milliseconds }: Wait): boolean => {
    const until = system.elapsed() + milliseconds;
    const isNew = until >= reportedUntil + shortMilliseconds;
    if (isNew) reportedUntil = until;
    return isNew;
  };
  return (wait) => {
    const isShown = isRequested(wait)
      ? (system.stderr.isTerminal || wait.milliseconds >= shortMilliseconds) && isNewWait(wait)
      : system.stderr.isTerminal && isNewOutage(wait);
    if (!isShown) return;
    // A board shows a message for some seconds without updating it, so its text has no duration.
    out.note(waitText(wait), waitText(wait, false));
  };
}

/** Returns whether the service requested the wait, by a rate limit or Retry-After. */
function isRequested({ reason, error }: Wait): boolean {
  return reason === 'rate-limit' || (error instanceof ApiError && error.retryAfterSeconds !== undefined);
}

/** `isTimed` adds the duration of the wait. */
function waitText({ reason, milliseconds, request, error }: Wait, isTimed = true): string {
  if (reason === 'rate-limit')
    return `waiting ${isTimed ? `${secondsText(milliseconds)} ` : ''}for the service's rate limit`;
  if (isUnreachable(error)) return `${connectionFailure(error).message}; retrying`;
  const failed = `${request.method} ${request.path} failed${causeText(error)}; retrying`;
  if (!isTimed) return failed;
  return `${failed} ${milliseconds < 50 ? 'now' : `in ${secondsText(milliseconds)}`}`;
}

/** Returns whether no connection was possible, so that the failure is the same for every request. */
function isUnreachable(error: unknown): error is ConnectionError {
  return error instanceof ConnectionError && error.reached === 'no';
}

/** Returns the kind of a failure, which is the same for all requests of one outage. */
function failureText(error: unknown): string {
  return error instanceof ConnectionError ? error.message : causeText(error);
}

function secondsText(milliseconds: number): string {
  return `${milliseconds < 9500 ? (milliseconds / 1000).toFixed(1) : Math.round(milliseconds / 1000)} s`;
}

function causeText(error: unknown): string {
  if (error instanceof ApiError) return ` (HTTP ${error.status})`;
  return error instanceof ConnectionError ? ` (${error.code})` : '';
}
