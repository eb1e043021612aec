import { ApiError, ConnectionError } from '../errors/service.ts';
import type { Output } from '../runtime/output.ts';
import type { System } from '../runtime/system.ts';

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

/** Reports waits on stderr: every wait on a terminal, elsewhere only waits that the service requested. */
export function waitNotes(
  system: Pick<System, 'stderr' | 'elapsed'>,
  out: Pick<Output, 'note'>,
): (wait: Wait) => void {
  let reportedUntil = 0;
  return (wait) => {
    const until = system.elapsed() + wait.milliseconds;
    const isNews =
      isRequested(wait) &&
      wait.milliseconds >= shortMilliseconds &&
      until >= reportedUntil + shortMilliseconds;
    if (!system.stderr.isTerminal && !isNews) return;
    reportedUntil = Math.max(reportedUntil, until);
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
  const failed = `${request.method} ${request.path} failed${causeText(error)}; retrying`;
  if (!isTimed) return failed;
  return `${failed} ${milliseconds < 50 ? 'now' : `in ${secondsText(milliseconds)}`}`;
}

function secondsText(milliseconds: number): string {
  return `${milliseconds < 9500 ? (milliseconds / 1000).toFixed(1) : Math.round(milliseconds / 1000)} s`;
}

function causeText(error: unknown): string {
  if (error instanceof ApiError) return ` (HTTP ${error.status})`;
  return error instanceof ConnectionError ? ` (${error.code})` : '';
}
