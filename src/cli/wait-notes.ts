import { ApiError, ConnectionError } from '../errors/service.ts';
import type { Output } from '../runtime/output.ts';
import type { System } from '../runtime/system.ts';
import { connectionFailure } from './connection-failure.ts';

/** A wait that the client announces. */
interface Wait {
  readonly reason: 'retry' | 'rate-limit';
  readonly milliseconds: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly retry?: { readonly number: number; readonly limit: number };
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
    // A board shows a message for some seconds without updating it, so its text has no duration and no number.
    out.note(waitText(wait), boardText(wait));
  };
}

/** Returns whether the service requested the wait, by a rate limit or Retry-After. */
function isRequested({ reason, error }: Wait): boolean {
  return reason === 'rate-limit' || (error instanceof ApiError && error.retryAfterSeconds !== undefined);
}

function waitText(wait: Wait): string {
  const { reason, milliseconds, retry } = wait;
  const duration = secondsText(milliseconds);
  if (reason === 'rate-limit') return `waiting ${duration} for the service's rate limit`;
  const number = retry ? `retry ${retry.number} of ${retry.limit}` : 'retrying';
  return `${failedText(wait)}; ${number} ${milliseconds < 50 ? 'now' : `in ${duration}`}`;
}

function boardText(wait: Wait): string {
  if (wait.reason === 'rate-limit') return "waiting for the service's rate limit";
  return `${failedText(wait)}; retrying`;
}

function failedText({ request, error }: Wait): string {
  if (isUnreachable(error)) return connectionFailure(error).message;
  return `${request.method} ${request.path} failed${causeText(error)}`;
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
