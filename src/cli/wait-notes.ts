import { ApiError } from '../errors/service.ts';
import type { Output } from '../runtime/output.ts';
import type { System } from '../runtime/system.ts';

/** What the client tells before it waits. */
interface Wait {
  readonly reason: 'retry' | 'rate-limit';
  readonly milliseconds: number;
  readonly request: { readonly method: string; readonly path: string };
  readonly error?: unknown;
}

/** A script reads of the waits that the service asked for, short ones aside; of requests that wait for one end together, only the first says so. */
const shortMilliseconds = 1000;

/** Says on stderr what a request waits for: on a terminal always, else where the service asked for it. */
export function waitNotes(
  system: Pick<System, 'stderr' | 'now'>,
  out: Pick<Output, 'note'>,
): (wait: Wait) => void {
  let toldUntil = 0;
  return (wait) => {
    const until = system.now() + wait.milliseconds;
    const isNews =
      isAskedFor(wait) && wait.milliseconds >= shortMilliseconds && until >= toldUntil + shortMilliseconds;
    if (!system.stderr.isTerminal && !isNews) return;
    toldUntil = Math.max(toldUntil, until);
    out.note(waitText(wait));
  };
}

/** A rate limit, or an answer with Retry-After. */
function isAskedFor({ reason, error }: Wait): boolean {
  return reason === 'rate-limit' || (error instanceof ApiError && error.retryAfterSeconds !== undefined);
}

function waitText({ reason, milliseconds, request }: Wait): string {
  const seconds = milliseconds < 9500 ? (milliseconds / 1000).toFixed(1) : Math.round(milliseconds / 1000);
  return reason === 'retry'
    ? `no usable answer to ${request.method} ${request.path}; trying again in ${seconds} s`
    : `waiting ${seconds} s for the service's rate limit`;
}
