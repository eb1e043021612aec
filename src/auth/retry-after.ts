import { ApiError, RateLimitError, type RequestLine } from '../errors/service.ts';
import type { Hint } from '../errors/hint.ts';
import { RateBudget } from '../client/rate-budget.ts';
import type { RateLimiter } from '../client/rate-limiter.ts';
import { endWithoutReply, isTooLong, waitAfter429 } from '../client/rate-wait.ts';
import type { AuthEnvironment } from './environment.ts';

/** The maximum wait that the caller allows. */
export interface WaitLimit {
  /** Maximum wait from now. */
  readonly milliseconds: number;
  /** Returns the hint for a wait of `seconds` that exceeds the limit. */
  hint(seconds: number): Hint;
}

/**
 * Calls `ask`, which sends a request to the token endpoint, and calls it again after each 429. A 429 means that the
 * service did not process the request, so that its code or refresh token is unused. The same rules as for every other
 * request apply: `--max-wait`, a note while waiting, no request during a penalty.
 * @param limit called with the milliseconds already spent waiting. @param budget the rate limits, if they are shared
 * with other requests.
 * @throws {RateLimitError} if the wait is too long. @throws what `ask` throws.
 */
export async function retryAfter429<T>(
  environment: AuthEnvironment,
  ask: () => Promise<T>,
  limit?: (waited: number) => WaitLimit,
  budget: RateLimiter = new RateBudget(),
): Promise<T> {
  const { signal } = environment;
  const longest = environment.settings.maxWaitSeconds.value * 1000;
  let request: RequestLine = { method: 'POST', path: '/restapi/oauth/token' };
  const group = budget.groupOf(request.method, request.path);
  let waited = 0;
  const check = (milliseconds: number, failure?: ApiError): void => {
    const own = limit?.(waited);
    const isOwn = own !== undefined && milliseconds >= own.milliseconds;
    if (!isOwn && environment.sleep && !isTooLong(waited + milliseconds, longest)) return;
    const seconds = Math.ceil(milliseconds / 1000);
    const hint = isOwn ? own.hint(seconds) : undefined;
    throw new RateLimitError(group, seconds, request, failure, hint);
  };
  for (;;) {
    // The OAuth library does not show the headers of the reply.
    const milliseconds = await budget.take(group, environment.now(), 0, false);
    if (milliseconds > 0) {
      check(milliseconds);
      environment.onWait?.({ reason: 'rate-limit', milliseconds, request });
      await environment.sleep?.(milliseconds).catch((error: unknown) => {
        throw signal.aborted ? signal.reason : error;
      });
      waited += milliseconds;
      continue;
    }
    try {
      const reply = await ask();
      budget.release(group);
      return reply;
    } catch (error) {
      await endWithoutReply(budget, group, error, environment.now());
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      ({ request } = error);
      const asked = waitAfter429(error.retryAfterSeconds);
      // If the other processes cannot be notified, this process waits nevertheless.
      await budget.block(group, asked, environment.now()).catch(() => undefined);
      check(asked, error);
    }
  }
}
