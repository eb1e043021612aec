import { ApiError, RateLimitError, type RequestLine } from '../errors/service.ts';
import type { Hint } from '../errors/hint.ts';
import { RateBudget } from '../client/rate-budget.ts';
import { isTooLong, waitAfterRefusal } from '../client/rate-wait.ts';
import type { AuthEnvironment } from './environment.ts';

/** A reason of the caller's own to wait no longer. */
export interface WaitLimit {
  /** From now on. */
  readonly milliseconds: number;
  /** The next step when the service asks for `seconds`, which is as much or more. */
  hint(seconds: number): Hint;
}

/**
 * Asks the token endpoint, and again after each 429, which means that the request was not processed: a code or a refresh token is unused then.
 * By the rules of every other request: `--max-wait`, a note while it waits, nothing inside a penalty.
 * @param limit given the milliseconds that were waited already. @param budget what is known of the limit, where that outlives this request.
 * @throws {RateLimitError} the wait is too long. @throws what `ask` throws.
 */
export async function outwait<T>(
  environment: AuthEnvironment,
  ask: () => Promise<T>,
  limit?: (waited: number) => WaitLimit,
  budget = new RateBudget(),
): Promise<T> {
  const { signal } = environment;
  const longest = environment.settings.maxWaitSeconds.value * 1000;
  let request: RequestLine = { method: 'POST', path: '/restapi/oauth/token' };
  const group = budget.groupOf(request.method, request.path);
  let waited = 0;
  const check = (milliseconds: number, refusal?: ApiError): void => {
    const own = limit?.(waited);
    const isOwn = own !== undefined && milliseconds >= own.milliseconds;
    if (!isOwn && environment.sleep && !isTooLong(waited + milliseconds, longest)) return;
    const seconds = Math.ceil(milliseconds / 1000);
    const hint = isOwn ? own.hint(seconds) : undefined;
    throw new RateLimitError(group, seconds, request, refusal, hint);
  };
  for (;;) {
    const milliseconds = await budget.take(group, environment.now());
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
      return await ask();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      ({ request } = error);
      const asked = waitAfterRefusal(error.retryAfterSeconds);
      await budget.block(group, asked, environment.now());
      check(asked, error);
    } finally {
      budget.release(group);
    }
  }
}
