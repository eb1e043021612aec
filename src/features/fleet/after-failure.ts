import { messageOf } from '../../errors/command.ts';
import {
  ConnectionError,
  isRejectedWith,
  RateLimitError,
  SignInRequiredError,
} from '../../errors/service.ts';
import { isRejectedByService } from '../../errors/service-codes.ts';
import {
  FencedError,
  OtherAccountSessionError,
  PermanentTaskError,
  Released,
  StalledError,
  UnreachableError,
  UnsuitableSessionError,
} from './task-errors.ts';
import type { ClaimedTask } from './claims.ts';

/** What the worker does after a failed attempt. `rejected`: the task fails unless another sign-in may be able to execute it. */
export interface Failure {
  readonly result: 'retry' | 'failed' | 'fenced' | 'released' | 'rejected';
  readonly problem: string;
  /** Milliseconds until the next attempt of a `retry`. */
  readonly retryMilliseconds: number;
  /**
   * Whether the service may be unreachable from this machine. The worker then claims fewer tasks for a while.
   */
  readonly isOfConnection: boolean;
  /** Whether the sign-in cannot be used any more. */
  readonly endsSession: boolean;
}

/** Milliseconds before the second attempt; doubled for each further attempt. */
const firstDelay = 5000;
const longestDelay = 600_000;
/** Attempts without a delay after a failed connection. The limit of a silent reply grows until the fifth attempt. */
const immediateAttempts = 5;

function delayAfter(attempts: number): number {
  return Math.min(longestDelay, firstDelay * 2 ** Math.max(0, Math.min(attempts, 20) - 1));
}

/** Classifies the error of an attempt. Only errors that would occur again end the attempts. */
export function afterFailure(error: unknown, { attempts }: Pick<ClaimedTask, 'attempts'>): Failure {
  const failure: Failure = {
    result: 'retry',
    problem: messageOf(error),
    retryMilliseconds: delayAfter(attempts),
    isOfConnection: false,
    endsSession: false,
  };
  if (error instanceof FencedError) return { ...failure, result: 'fenced' };
  if (error instanceof Released) return { ...failure, result: 'released' };
  if (error instanceof UnreachableError) return { ...failure, result: 'released', isOfConnection: true };
  const isOfSession = error instanceof SignInRequiredError || error instanceof OtherAccountSessionError;
  if (isOfSession || isRejectedWith(error, 401)) return { ...failure, result: 'released', endsSession: true };
  // Another worker may reach the service. After several attempts, the reply itself is more likely to be the problem, and
  // immediate attempts would use the budget of the other tasks.
  if (error instanceof StalledError || error instanceof ConnectionError)
    return {
      ...failure,
      retryMilliseconds: attempts <= immediateAttempts ? 0 : delayAfter(attempts - immediateAttempts),
      isOfConnection: true,
    };
  if (error instanceof RateLimitError) return { ...failure, retryMilliseconds: error.waitSeconds * 1000 };
  if (error instanceof PermanentTaskError) return { ...failure, result: 'failed' };
  const isRejected =
    error instanceof UnsuitableSessionError ||
    [403, 404].some((status) => isRejectedByService(error, status));
  return isRejected ? { ...failure, result: 'rejected' } : failure;
}
