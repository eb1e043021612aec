import type { Wait } from '../../client/index.ts';
import { ApiError } from '../../errors/service.ts';
import type { FleetSession } from '../../runtime/fleet-session.ts';
import type { ClaimedTask } from './claims.ts';
import type { ServiceCheck } from './service-check.ts';
import { StalledError, UnreachableError } from './task-errors.ts';

/** An attempt of a task that runs. */
export interface Attempt {
  readonly task: ClaimedTask;
  readonly session: FleetSession;
  /** Aborted to end the attempt, with the reason. */
  readonly end: AbortController;
  /** Time of the last data or end of the last wait, in monotonic milliseconds. */
  silentSince: number;
}

/** Milliseconds without data after which an attempt is ended; doubled for each further attempt, up to 16 times. */
const silenceMilliseconds = 6000;
const mostSilence = 16;
/** Milliseconds without data after which the worker checks whether it can reach the service. */
const doubtMilliseconds = 3000;

/**
 * Call when data arrives. Another request of the attempt may wait longer.
 * @param now monotonic milliseconds
 */
export function noteData(attempt: Attempt, now: number): void {
  attempt.silentSince = Math.max(attempt.silentSince, now);
}

/**
 * Call before a wait. A wait is not silence if a rate limit requires it, or if the service replied with an error.
 * @param now monotonic milliseconds
 */
export function noteWait(attempt: Attempt, { reason, milliseconds, error }: Wait, now: number): void {
  if (reason === 'rate-limit' || error instanceof ApiError) noteData(attempt, now + milliseconds);
}

/**
 * Ends an attempt without data for too long.
 * @param now monotonic milliseconds
 */
export function endIfSilent(attempt: Attempt, now: number, service: ServiceCheck): void {
  const { task, end, silentSince } = attempt;
  const silence = now - silentSince;
  const limit = silenceMilliseconds * Math.min(mostSilence, 2 ** (task.attempts - 1));
  if (silence > limit) end.abort(new StalledError(Math.round(limit / 1000)));
  else if (silence > doubtMilliseconds) void endIfUnreachable(attempt, service);
}

/** Ends an attempt without data if the service does not reply to this worker, so that another worker can claim the task. */
async function endIfUnreachable(attempt: Attempt, service: ServiceCheck): Promise<void> {
  const { silentSince, session, end } = attempt;
  const replies = await service.replies(session);
  if (!replies && attempt.silentSince === silentSince) end.abort(new UnreachableError());
}
